// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the expression, or its derivative, has too many operations for a type; use the derivatives of a function, as in function(f, wrt(x)).gradient(2.0), or trace a function, or define CHAINRULE_MAX_OPERATIONS greater than 3200
#include <chainrule/chainrule.hpp>

#include "../expression/static/repeated.hpp"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto step = [](auto s) { return sin(s) * x + y; };
#ifdef CHAINRULE_BAD
constexpr auto f = repeated<1100>(x, step);
#else
constexpr auto f = repeated<100>(x, step);
#endif
constexpr auto by_x = cr::derivative(f, x);
