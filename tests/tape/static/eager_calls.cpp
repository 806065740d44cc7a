// SPDX-License-Identifier: BSL-1.0
//
// Functions of eager numbers: sin(x) and chainrule::sin(x).
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>

#include "../../calls_of_functions.hpp"

namespace {

[[maybe_unused]] constexpr auto of_doubles = &calls_of_functions<cr::tape::eager<double>>;
[[maybe_unused]] constexpr auto of_floats = &calls_of_functions<cr::tape::eager<float>>;

[[maybe_unused]] cr::tape::eager<double> in_both_namespaces(const cr::tape::eager<double>& a,
                                                            const cr::tape::eager<double>& b) {
    using namespace std;
    using namespace chainrule;
    return sin(a) + pow(a, 2) + pow(a, b) + hypot(a, b) + fma(a, b, 2.0) + clamp(a, 0.0, 1.0) + exp(2.0) + pow(2.0, 3) +
           abs(-2) + hypot(1.0, 2.0, 3.0);
}

} // namespace
