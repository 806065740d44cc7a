// SPDX-License-Identifier: BSL-1.0
// expect: simplify: the expression, or the simplified or expanded one, has more than 1500 operations; simplify its parts
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
constexpr auto f = repeated<600>(x);
#else
constexpr auto f = repeated<100>(x);
#endif
constexpr auto g = cr::simplify(f);
