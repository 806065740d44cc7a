// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: some numbers of an argument are in wrt(...) and others in given(...); name those of one argument in one of them
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
auto F = cr::function<state<double>>(ratio, cr::wrt(x), cr::given(y = 1.0));
#else
constexpr auto F = cr::function<state<double>>(ratio, cr::wrt(x, y));
#endif
