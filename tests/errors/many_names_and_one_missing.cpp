// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto a0 = cr::variable<"a0">;
constexpr auto a1 = cr::variable<"a1">;
constexpr auto a2 = cr::variable<"a2">;
constexpr auto a3 = cr::variable<"a3">;
constexpr auto a4 = cr::variable<"a4">;
constexpr auto a5 = cr::variable<"a5">;
constexpr auto a6 = cr::variable<"a6">;
constexpr auto a7 = cr::variable<"a7">;
constexpr auto a8 = cr::variable<"a8">;
constexpr auto a9 = cr::variable<"a9">;
constexpr auto f = a0 * a1 + a2 * a3 + a4 * a5 + a6 * a7 + a8 * a9;

#ifdef CHAINRULE_BAD
auto value = f(a0 = 1.0, a1 = 2.0, a2 = 3.0, a3 = 4.0, a4 = 5.0, a5 = 6.0, a6 = 7.0, a7 = 8.0, a8 = 9.0);
#else
auto value = f(a0 = 1.0, a1 = 2.0, a2 = 3.0, a3 = 4.0, a4 = 5.0, a5 = 6.0, a6 = 7.0, a7 = 8.0, a8 = 9.0, a9 = 10.0);
#endif
