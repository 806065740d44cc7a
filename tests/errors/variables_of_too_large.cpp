// SPDX-License-Identifier: BSL-1.0
// expect: variables: the expression has more than 4800 operations, too many to find its variables; name them, as in gradient(f, x, y), or trace a function
#include <chainrule/chainrule.hpp>

#include "../expression/static/repeated.hpp"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto step = [](auto s) { return sin(s) * x + y; };
#ifdef CHAINRULE_BAD
constexpr auto f = repeated<2000>(x, step);
#else
constexpr auto f = repeated<100>(x, step);
#endif
constexpr auto g = cr::gradient(f);
