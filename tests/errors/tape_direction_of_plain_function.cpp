// SPDX-License-Identifier: BSL-1.0
// expect: tape: the function cannot be called with active or dual numbers in the layout of the point; write it for any number type, as in [](const auto& x), with a parameter for each argument
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double product(const std::vector<double>& v) { return v[0] * v[1]; }

auto slope(const std::vector<double>& x) {
#ifdef CHAINRULE_BAD
    return tape::jvp(product, x, std::vector{1.0, 0.0});
#else
    static_cast<void>(product(x));
    return tape::jvp([](const auto& v) { return v[0] * v[1]; }, x, std::vector{1.0, 0.0});
#endif
}
