// SPDX-License-Identifier: BSL-1.0
//
// The shared variables of a sum, from a call: numbers by position, a range, or by name.
#pragma once

#include <chainrule/entry/inputs.hpp>

#include <array>

namespace chainrule::batches {

/// Checks a point and copies it to the front of an array.
template <class Expressions, class... V, class T, std::size_t Size, class... Point>
void read_point(core::type_list<V...>, std::array<T, Size>& to, const Point&... point) {
    constexpr std::size_t count = sizeof...(V);
    constexpr bool numbers = core::all_true({detail::source_for<Point> == detail::source::number..., true});
    constexpr bool named = core::all_true({detail::is_binding<Point>..., sizeof...(Point) > 0});
    if constexpr (named) {
        if constexpr (detail::names_match<Expressions, core::type_list<V...>>(
                          core::type_list<typename Point::variable...>{})) {
            std::size_t k = 0;
            ((to[k++] = detail::value_for<V, T>(point...)), ...);
        }
    } else if constexpr (sizeof...(Point) == 1 && !numbers) {
        const auto copy = [&](const auto& range) {
            if constexpr (detail::right_numbers<detail::role::point, count, std::remove_cvref_t<decltype(range)>>()) {
                const auto all = detail::numbers_in_order<detail::role::point, count>(range);
                for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<T>(all.data()[k]);
            }
        };
        (copy(point), ...);
    } else {
        constexpr bool right = numbers && sizeof...(Point) == count;
        static_assert(right, "function: the point does not have one number per variable in wrt(...); pass that many, "
                             "or a std::array or std::span of them");
        if constexpr (right) {
            std::size_t k = 0;
            ((to[k++] = static_cast<T>(point)), ...);
        }
    }
}

} // namespace chainrule::batches
