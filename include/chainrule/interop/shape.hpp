// SPDX-License-Identifier: BSL-1.0
//
// How many inputs and outputs a positional function has, for adapters that hand them on as numbers of another library.
#pragma once

#include <chainrule/entry/positional_function.hpp>

#include <array>
#include <cstddef>

namespace chainrule::detail {

template <class F>
struct shape_of {
    static constexpr bool known = false;
};
template <class... E, class... V, class Parameters, bool Scalar>
struct shape_of<positional_function<core::type_list<E...>, core::type_list<V...>, Parameters, Scalar>> {
    static constexpr bool known = true;
    static constexpr bool scalar = Scalar;
    static constexpr std::size_t inputs = sizeof...(V);
    static constexpr std::size_t outputs = sizeof...(E);
};

/// What cr::function(...) returns, of an expression or of code.
template <class F>
concept function_of_numbers = shape_of<F>::known;

/// The value, or the values, as an array.
template <function_of_numbers F, class Point>
[[nodiscard]] auto values_as_array(const F& f, const Point& point) {
    if constexpr (shape_of<F>::scalar)
        return std::array{f.values(point)};
    else
        return f.values(point);
}

/// The value or the values, and the Jacobian, one row per value.
template <std::size_t Outputs, std::size_t Inputs>
struct values_and_rows {
    std::array<double, Outputs> values;
    std::array<std::array<double, Inputs>, Outputs> rows;
};
template <function_of_numbers F, class Point>
[[nodiscard]] auto values_and_rows_of(const F& f, const Point& point) {
    values_and_rows<shape_of<F>::outputs, shape_of<F>::inputs> result;
    if constexpr (shape_of<F>::scalar) {
        const auto [value, gradient] = f.value_and_gradient(point);
        result.values[0] = value;
        result.rows[0] = gradient;
    } else {
        const auto [values, jacobian] = f.value_and_jacobian(point);
        result.values = values;
        result.rows = jacobian;
    }
    return result;
}

} // namespace chainrule::detail
