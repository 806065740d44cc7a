// SPDX-License-Identifier: BSL-1.0
//
// 1,000 operations, in which each step uses the one before twice: written as a tree, their type would have 2^250 nodes.
#pragma once

#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

template <int Times, class S>
constexpr auto repeated(S s) {
    if constexpr (Times == 1)
        return sin(s + y) * (s - x);
    else
        return repeated<Times - Times / 2>(repeated<Times / 2>(s));
}
constexpr auto f = repeated<250>(x);
