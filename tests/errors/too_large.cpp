// SPDX-License-Identifier: BSL-1.0
// expect: function: the expressions have more than CHAINRULE_MAX_OPERATIONS operations, which is 3200, or five sixths of it for derivatives; trace a function or use tape mode, or define it greater and raise -fconstexpr-steps (clang) or -fconstexpr-ops-limit (g++)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// s = sin(s) * x + y, so many times; written in halves, so that the test itself does not nest.
template <int Times, class S>
constexpr auto repeated(S s) {
    if constexpr (Times == 1)
        return sin(s) * x + y;
    else
        return repeated<Times - Times / 2>(repeated<Times / 2>(s));
}
#ifdef CHAINRULE_BAD
constexpr auto f = repeated<1100>(x);
#else
constexpr auto f = repeated<100>(x);
#endif
double value = f(x = 1.0, y = 2.0);
