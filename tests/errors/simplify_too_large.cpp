// SPDX-License-Identifier: BSL-1.0
// expect: simplify: the expression, or the simplified or expanded one, has more than 1500 operations; simplify its parts
#include <chainrule/chainrule.hpp>

#include "../expression/static/repeated.hpp"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto step = [](auto s) { return sin(s) * x + y; };
#ifdef CHAINRULE_BAD
constexpr auto f = repeated<600>(x, step);
#else
constexpr auto f = repeated<100>(x, step);
#endif
constexpr auto g = cr::simplify(f);
