// SPDX-License-Identifier: BSL-1.0
//
// The numbers that all rows of a sum share: the point of a call (numbers, a range, or by name), then the parameters.
#pragma once

#include <chainrule/entry/inputs.hpp>
#include <chainrule/expression/vector.hpp>

#include <array>

namespace chainrule::batches {

/// Checks a point of numbers, in parts, or with names of single variables, and copies it.
template <class Expressions, class... V, class T, std::size_t Size, class... Point>
constexpr void read_numbers(core::type_list<V...>, std::array<T, Size>& to, const Point&... point) {
    constexpr std::size_t count = sizeof...(V);
    constexpr auto form = detail::form_of_point<count, Point...>();
    std::size_t k = 0;
    if constexpr (form == detail::point_form::by_name) {
        if constexpr (detail::without_fault<detail::fault_of_call<Expressions, core::type_list<V...>, Point...>>())
            to = [](const auto& all) {
                return std::array<T, Size>{detail::value_for<V, T>(all)...};
            }(detail::in_values_of_call(point...));
    } else if constexpr (form == detail::point_form::as_range) {
        const auto copy = [&](const auto& range) {
            if constexpr (detail::right_numbers<detail::role::point, count, std::remove_cvref_t<decltype(range)>>()) {
                const auto all = detail::numbers_in_order<detail::role::point, count>(range);
                for (; k < count; ++k) to[k] = static_cast<T>(all.data()[k]);
            }
        };
        (copy(point), ...);
    } else if constexpr (form == detail::point_form::as_numbers) {
        to = std::array<T, Size>{static_cast<T>(point)...};
    } else if constexpr (form == detail::point_form::in_parts) {
        using variables = core::type_list<V...>;
        if constexpr (detail::right_parts<variables, Point...>()) {
            const auto all = detail::joined_parts<T, variables>(point...);
            for (; k < count; ++k) to[k] = all.values[k];
        }
    }
}

template <class Expressions, class Variables, class T, std::size_t Size, class... Binding>
constexpr void read_singly(Variables variables, std::array<T, Size>& to, const detail::single_values<Binding...>& all) {
    read_numbers<Expressions>(variables, to, static_cast<const detail::single_value<Binding>&>(all).value...);
}
/// Checks a point and copies it to the front of an array.
template <class Expressions, class... V, class T, std::size_t Size, class... Point>
constexpr void read_point(core::type_list<V...> variables, std::array<T, Size>& to, const Point&... point) {
    if constexpr (detail::some_vectors<Point...> &&
                  detail::form_of_point<sizeof...(V), Point...>() == detail::point_form::by_name)
        read_singly<Expressions>(variables, to, detail::in_single_values(point...));
    else
        read_numbers<Expressions>(variables, to, point...);
}

/// The numbers that all rows share: a point and the parameters. Room for further ones follows.
template <class T, std::size_t Further = 0, class Row, class... Point>
[[nodiscard]] auto shared_numbers(const Row& row, const Point&... point) {
    std::array<T, Row::shared + Further> numbers{};
    read_point<typename Row::expressions>(typename Row::wrt{}, numbers, point...);
    row.copy_parameters(numbers);
    return numbers;
}

} // namespace chainrule::batches
