// SPDX-License-Identifier: BSL-1.0
// expect: implicit_derivative: the number of equations is not the number of unknowns; pass a vector with one expression per unknown
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto slope = cr::implicit_derivative(cr::vector(x - y, x* y), y, x);
#else
auto slope = cr::implicit_derivative(cr::vector(x - y), y, x);
#endif
