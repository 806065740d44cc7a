// SPDX-License-Identifier: BSL-1.0
// expect: tape: the function cannot be called with active or dual numbers in the layout of the point; write it for any number type, as in [](const auto& x), with a parameter for each argument
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
#ifdef CHAINRULE_BAD
    return tape::gradient([](const std::vector<double>& v) { return v[0]; }, x);
#else
    return tape::gradient([](const auto& v) { return v[0]; }, x);
#endif
}
