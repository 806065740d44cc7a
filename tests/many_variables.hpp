// SPDX-License-Identifier: BSL-1.0
//
// More variables than clang accepts in a fold expression, 256, as separate arguments.
#pragma once

#include <chainrule/chainrule.hpp>

#include <utility>

inline constexpr std::size_t many = 260;
inline constexpr auto q = chainrule::variables<"q", int{many}>;

/// call(q0, q1, ...).
template <class Call>
constexpr auto with_many(const Call& call) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return call(q.template get<I>()...);
    }(std::make_index_sequence<many>{});
}
/// call(q0 = 2.0, q1 = 2.0, ...).
template <class Call>
constexpr auto with_many_named(const Call& call) {
    return with_many([&](auto... v) { return call((v = 2.0)...); });
}
/// call(2.0, 2.0, ...).
template <class Call>
constexpr auto with_many_numbers(const Call& call) {
    return with_many([&](auto... v) { return call((static_cast<void>(v), 2.0)...); });
}
