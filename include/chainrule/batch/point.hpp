// SPDX-License-Identifier: BSL-1.0
//
// The numbers that all rows of a sum share: the point of a call (numbers, a range, or by name), then the parameters.
#pragma once

#include <chainrule/entry/inputs.hpp>
#include <chainrule/expression/vector.hpp>

#include <array>

namespace chainrule::batches {

/// The variables that an argument x = value gives numbers; none for other arguments.
template <class Argument>
struct named_by {
    using variables = core::type_list<>;
    static constexpr bool is_vector = false;
};
template <class V, class T>
struct named_by<binding<V, T>> {
    using variables = core::type_list<V>;
    static constexpr bool is_vector = false;
};
template <class... V, class Range, std::size_t Columns>
struct named_by<vector_binding<core::type_list<V...>, binding<void, Range>, Columns>> {
    using variables = core::type_list<V...>;
    static constexpr bool is_vector = true;
};

/// Copies the numbers of an argument x = value to the places of its variables among V.
template <class... V, class T, class W, class Number>
void read_named(core::type_list<V...> all, T* to, const binding<W, Number>& argument) {
    to[expressions::position_in<W>(all)] = static_cast<T>(argument.value);
}
template <class... V, class T, class... W, class Range, std::size_t Columns>
void read_named(core::type_list<V...> all, T* to,
                const vector_binding<core::type_list<W...>, binding<void, Range>, Columns>& argument) {
    const auto copy = [&](const auto& range) {
        if constexpr (detail::right_numbers<detail::role::point, sizeof...(W),
                                            std::remove_cvref_t<decltype(range)>>()) {
            const auto numbers = detail::numbers_in_order<detail::role::point, sizeof...(W)>(range);
            std::size_t k = 0;
            ((to[expressions::position_in<W>(all)] = static_cast<T>(numbers.data()[k++])), ...);
        }
    };
    if constexpr (requires { *argument.bound.value.range; })
        copy(*argument.bound.value.range);
    else
        copy(argument.bound.value);
}

/// Checks a point with names, some of them of vectors of variables, and copies it.
template <class Expressions, class V, class T, class... Point>
void read_vectors(V variables, T* to, const Point&... point) {
    constexpr bool named = core::all_true({(int{named_by<Point>::variables::size} > 0)..., true});
    static_assert(named, "function: some arguments name their variables and some do not; name all of them, as in "
                         "F(x = 2.0, y = 5.0), or none");
    if constexpr (named)
        if constexpr (detail::names_match<Expressions, V>(
                          typename core::joined_lists<typename named_by<Point>::variables...>::type{}))
            (read_named(variables, to, point), ...);
}

/// Checks a point of numbers, or with names of single variables, and copies it.
template <class Expressions, class... V, class T, std::size_t Size, class... Point>
void read_numbers(core::type_list<V...>, std::array<T, Size>& to, const Point&... point) {
    constexpr std::size_t count = sizeof...(V);
    constexpr auto form = detail::form_of_point<count, Point...>();
    std::size_t k = 0;
    if constexpr (form == detail::point_form::by_name) {
        if constexpr (detail::all_values<Point...>())
            if constexpr (detail::names_match<Expressions, core::type_list<V...>>(
                              core::type_list<typename Point::variable...>{}))
                ((to[k++] = detail::value_for<V, T>(point...)), ...);
    } else if constexpr (form == detail::point_form::as_range) {
        const auto copy = [&](const auto& range) {
            if constexpr (detail::right_numbers<detail::role::point, count, std::remove_cvref_t<decltype(range)>>()) {
                const auto all = detail::numbers_in_order<detail::role::point, count>(range);
                for (; k < count; ++k) to[k] = static_cast<T>(all.data()[k]);
            }
        };
        (copy(point), ...);
    } else if constexpr (form == detail::point_form::as_numbers) {
        ((to[k++] = static_cast<T>(point)), ...);
    }
}

/// Checks a point and copies it to the front of an array.
template <class Expressions, class... V, class T, std::size_t Size, class... Point>
void read_point(core::type_list<V...> variables, std::array<T, Size>& to, const Point&... point) {
    if constexpr (core::any_true({named_by<Point>::is_vector..., false}))
        return read_vectors<Expressions>(variables, to.data(), point...);
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
