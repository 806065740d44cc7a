// SPDX-License-Identifier: BSL-1.0
//
// Expressions of many steps, for tests of sizes.
#pragma once

// s = step(s), so many times; written in halves, so that the test itself does not nest.
template <int Times, class S, class Step>
constexpr auto repeated(S s, Step step) {
    if constexpr (Times == 0)
        return s;
    else if constexpr (Times == 1)
        return step(s);
    else
        return repeated<Times - Times / 2>(repeated<Times / 2>(s, step), step);
}
