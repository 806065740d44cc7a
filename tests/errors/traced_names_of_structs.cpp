// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: the number of variables in wrt(...) and given(...) is not that of the numbers in the arguments; name one per number
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct state {
    T angle, speed;
};
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto ratio = [](const auto& s) { return s.angle / s.speed; };

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<state<double>>(ratio, cr::wrt(x)));
#else
constexpr auto F = cr::function<state<double>>(ratio, cr::wrt(x, y));
#endif
