// SPDX-License-Identifier: BSL-1.0
//
// A std::array whose braced lists must have exactly its size.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>

namespace chainrule::detail {

/// N numbers: zeros, or a list in braces of N numbers. With a std::array, a shorter list would leave zeros behind it.
template <std::size_t N>
struct number_list : std::array<double, N> {
    constexpr number_list() : std::array<double, N>{} {}
    template <std::size_t Count>
    constexpr number_list(const double (&list)[Count]) : number_list() {
        constexpr bool right = Count == N;
        static_assert(right, "ipopt_problem, constrain, cvodes_system: the list in braces does not have one number per "
                             "variable, constraint or parameter; give as many, or fill(number)");
        if constexpr (right) std::copy_n(list, N, this->begin());
    }
    /// Of an argument in braces.
    template <std::convertible_to<double>... Number>
    requires(sizeof...(Number) > 1)
    constexpr number_list(Number... numbers) : number_list({static_cast<double>(numbers)...}) {}
    template <std::size_t Count>
    constexpr number_list& operator=(const double (&list)[Count]) {
        return *this = number_list(list);
    }
    template <std::same_as<std::array<double, N>> List>
    constexpr number_list& operator=(const List& list) {
        static_cast<List&>(*this) = list;
        return *this;
    }
};

} // namespace chainrule::detail

template <std::size_t N>
struct std::tuple_size<chainrule::detail::number_list<N>> : std::tuple_size<std::array<double, N>> {};
template <std::size_t I, std::size_t N>
struct std::tuple_element<I, chainrule::detail::number_list<N>> {
    using type = double;
};
