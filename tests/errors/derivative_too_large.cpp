// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the expression, or its derivative, has too many operations for a type; use the derivatives of a function, as in function(f, wrt(x)).gradient(2.0), or trace a function, or define CHAINRULE_MAX_OPERATIONS, which is 3200, greater
// at most 5000 bytes
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
constexpr auto by_x = cr::derivative(f, x);
