// SPDX-License-Identifier: BSL-1.0
//
// Code with 1,000 operations.
#pragma once

#include <chainrule/chainrule.hpp>

#include <string>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto k = cr::variable<"k">;

template <class S, class T>
constexpr T repeated(S s, const T& a, const T& b, const T& c) {
    for (int i = 0; i < 250; ++i) s = sin(s + c * b) * (s - a);
    return s;
}
constexpr auto F =
    cr::function([](auto a, auto b, auto c) { return repeated(a, a, b, c); }, cr::wrt(x, y), cr::given(k = 0.5));
