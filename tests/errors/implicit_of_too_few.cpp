// SPDX-License-Identifier: BSL-1.0
// expect: implicit_derivative: there are not as many equations as unknowns; give a vector of as many expressions as variables
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto slope = cr::implicit_derivative(cr::vector(x - y, x * y), y, x);
#else
auto slope = cr::implicit_derivative(cr::vector(x - y), y, x);
#endif
