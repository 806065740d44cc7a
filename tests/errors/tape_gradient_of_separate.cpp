// SPDX-License-Identifier: BSL-1.0
// expect: tape: the function cannot be called with active or dual numbers in the layout of the point; write it for any number type, as in [](const auto& x), with a parameter for each argument
#include <chainrule/tape.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto gradient = cr::tape::gradient([](const auto& x) { return x[0] * x[1]; }, 1.0, 2.0);
#else
auto gradient = cr::tape::gradient([](const auto& x, const auto& y) { return x * y; }, 1.0, 2.0);
#endif
