// SPDX-License-Identifier: BSL-1.0
// expect: variables: the expression has more than 4800 operations, too many to find its variables; name them, as in gradient(f, x, y), or trace a function
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
constexpr auto f = repeated<2000>(x);
#else
constexpr auto f = repeated<100>(x);
#endif
constexpr auto g = cr::gradient(f);
