// SPDX-License-Identifier: BSL-1.0
//
// Points of several parts, numbers, lists and lists of lists: all of their numbers as one list, and such a list as
// parts.
#pragma once

#include <chainrule/tape/derivatives/points.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace chainrule::tape::points {

/// One list, or separate numbers.
template <class... X>
inline constexpr bool point = sizeof...(X) > 0 && (true && ... && number<X>);
template <class X>
inline constexpr bool point<X> = number<X> || list_of_numbers<X>;
/// A point of several parts: arguments of which some are lists, or lists of lists.
template <class... X>
inline constexpr bool point_of_parts =
    sizeof...(X) > 0 && !point<X...> && (true && ... && (number<X> || list_of_numbers<X> || list_of_lists<X>));

/// A point as one list.
template <class... X>
struct as_list {
    using type = std::array<derivative_number<std::common_type_t<X...>>, sizeof...(X)>;
};
template <list_of_numbers X>
struct as_list<X> {
    using type = X;
};
/// How many numbers an argument has, and their type.
template <class X>
struct size_and_number {
    static constexpr std::size_t size = 1;
    using number = derivative_number<X>;
};
template <list X>
struct size_and_number<X> {
    using element = size_and_number<typename layout<X>::number_type>;
    static constexpr std::size_t size = layout<X>::extent == std::dynamic_extent || element::size == std::dynamic_extent
                                            ? std::dynamic_extent
                                            : layout<X>::extent * element::size;
    using number = typename element::number;
};
template <class... X>
requires point_of_parts<X...>
struct as_list<X...> {
    using number = std::common_type_t<typename size_and_number<X>::number...>;
    static constexpr bool fixed = (true && ... && (size_and_number<X>::size != std::dynamic_extent));
    static constexpr std::size_t size = fixed ? (std::size_t{0} + ... + size_and_number<X>::size) : 0;
    using type = std::conditional_t<fixed, std::array<number, size>, std::vector<number>>;
};
template <class... X>
using listed = typename as_list<X...>::type;

/// A part of a point with numbers of type U.
template <class U, class X>
struct with_numbers_of {
    using type = U;
};
template <class U, list X>
struct with_numbers_of<U, X> {
    using element = typename with_numbers_of<U, typename layout<X>::number_type>::type;
    using type = typename layout<X>::template with<element>;
};
template <class U, class X>
using with_numbers = typename with_numbers_of<U, X>::type;

/// How many numbers an argument has.
template <class X>
[[nodiscard]] std::size_t size_of_argument(const X& x) {
    if constexpr (list_of_lists<X>) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < points::size_of(x); ++i) size += points::size_of_argument(points::element(x, i));
        return size;
    } else if constexpr (list<X>) {
        return points::size_of(x);
    } else {
        return 1;
    }
}

/// The part of an argument, from offset on, of numbers in the order of all arguments.
template <class U, class Numbers, class X>
[[nodiscard]] with_numbers<U, X> part_of(const Numbers& numbers, std::size_t& offset, const X& like) {
    if constexpr (list_of_lists<X>) {
        using element = with_numbers<U, typename layout<X>::number_type>;
        return points::made<element>(
            like, [&](const auto& each, std::size_t) { return points::part_of<U>(numbers, offset, each); });
    } else if constexpr (list<X>) {
        const std::size_t first = offset;
        offset += points::size_of(like);
        return points::made<U>(like, [&](const auto&, std::size_t i) -> U { return numbers[first + i]; });
    } else {
        return numbers[offset++];
    }
}
template <class U, class Numbers, class... X>
[[nodiscard]] std::tuple<with_numbers<U, X>...> parts_of(const Numbers& numbers, const X&... like) {
    std::size_t offset = 0;
    return std::tuple<with_numbers<U, X>...>{points::part_of<U>(numbers, offset, like)...}; // in their order
}

/// All arguments as one list.
template <class... X>
requires point_of_parts<X...>
[[nodiscard]] listed<X...> joined(const X&... x) {
    using T = number_of<listed<X...>>;
    listed<X...> numbers{};
    if constexpr (layout<listed<X...>>::extent == std::dynamic_extent)
        numbers.resize((std::size_t{0} + ... + points::size_of_argument(x)));
    std::size_t size = 0;
    const auto append = [&]<class Argument>(const auto& self, const Argument& argument) -> void {
        if constexpr (list<Argument>) {
            decltype(auto) from = points::evaluated(argument);
            for (std::size_t i = 0; i < points::size_of(from); ++i) self(self, points::element(from, i));
        } else {
            numbers[size++] = static_cast<T>(argument);
        }
    };
    (append(append, x), ...);
    return numbers;
}

} // namespace chainrule::tape::points
