// SPDX-License-Identifier: BSL-1.0
// expect: function: the expressions have more than 3200 operations, or 2665 for derivatives; trace a function or use tape mode, or define CHAINRULE_MAX_OPERATIONS greater than 3200 and raise -fconstexpr-steps (clang) or -fconstexpr-ops-limit (g++)
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
double value = f(x = 1.0, y = 2.0);
