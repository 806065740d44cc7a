// SPDX-License-Identifier: BSL-1.0
//
// A list of types: the expressions and variables of a program.
#pragma once

namespace chainrule::program {

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};

template <class... A, class... B>
consteval type_list<A..., B...> operator+(type_list<A...>, type_list<B...>) {
    return {};
}

} // namespace chainrule::program
