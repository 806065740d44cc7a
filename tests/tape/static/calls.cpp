// SPDX-License-Identifier: BSL-1.0
//
// Functions of numbers on a tape with the header of the tape alone: sin(x) and chainrule::sin(x).
#include <chainrule/tape.hpp>

#include "../../calls_of_functions.hpp"

namespace {

[[maybe_unused]] constexpr auto of_doubles = &calls_of_functions<cr::tape::active<double>>;
[[maybe_unused]] constexpr auto of_floats = &calls_of_functions<cr::tape::active<float>>;

[[maybe_unused]] cr::tape::active<double> in_both_namespaces(const cr::tape::active<double>& a,
                                                             const cr::tape::active<double>& b) {
    using namespace std;
    using namespace chainrule;
    return sin(a) + pow(a, 2) + pow(a, b) + hypot(a, b) + fma(a, b, 2.0) + clamp(a, 0.0, 1.0) + exp(2.0) + pow(2.0, 3) +
           abs(-2) + hypot(1.0, 2.0, 3.0);
}

} // namespace
