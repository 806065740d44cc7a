// SPDX-License-Identifier: BSL-1.0
//
// How many inputs and outputs a positional function has, and its results as arrays, for adapters to other libraries.
#pragma once

#include <chainrule/entry/positional_function.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::detail {

template <class F, std::size_t Inputs, std::size_t Outputs, bool Scalar>
struct shape {
    using function = F;
    static constexpr bool known = true;
    static constexpr bool scalar = Scalar;
    static constexpr std::size_t inputs = Inputs;
    static constexpr std::size_t outputs = Outputs;
};
struct no_shape {
    static constexpr bool known = false;
};
// By a pointer, so that a class derived from positional_function has its shape.
template <class E, class V, class Bindings, bool Scalar, class F = positional_function<E, V, Bindings, Scalar>>
shape<F, F::variables_list::size, F::outputs_list::size, Scalar>
shape_from(const positional_function<E, V, Bindings, Scalar>*);
no_shape shape_from(const void*);

template <class F>
using shape_of = decltype(shape_from(static_cast<const F*>(nullptr)));

/// What cr::function(...) returns, of an expression or of code.
template <class F>
concept function_of_numbers = shape_of<F>::known;

/// The value, or the values, as an array.
template <function_of_numbers F, class... Point>
[[nodiscard, gnu::always_inline]] inline auto values_as_array(const F& f, const Point&... point) {
    if constexpr (shape_of<F>::scalar)
        return std::array{f.values(point...)};
    else
        return f.values(point...);
}

/// The value or the values, and the Jacobian, one row per value.
template <class T, std::size_t Outputs, std::size_t Inputs>
struct values_and_rows {
    std::array<T, Outputs> values;
    std::array<std::array<T, Inputs>, Outputs> rows;
};
template <function_of_numbers F, class... Point>
[[nodiscard, gnu::always_inline]] inline auto values_and_rows_of(const F& f, const Point&... point) {
    constexpr std::size_t outputs = shape_of<F>::outputs, inputs = shape_of<F>::inputs;
    if constexpr (shape_of<F>::scalar) {
        const auto [value, gradient] = f.value_and_gradient(point...);
        return values_and_rows<std::remove_const_t<decltype(value)>, outputs, inputs>{{value}, {gradient}};
    } else {
        const auto [values, jacobian] = f.value_and_jacobian(point...);
        return values_and_rows<typename decltype(values)::value_type, outputs, inputs>{values, jacobian};
    }
}

/// Calls get(0), get(1), ... for the inputs of a function, and passes the results to call. (An array of them in memory
/// would be read as vectors right after it was written number by number, which stalls.)
template <std::size_t Inputs, class Call, class Get>
[[gnu::always_inline]] inline auto with_each_input(const Call& call, const Get& get) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        return call(get(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<Inputs>{});
}

/// Runs the program of a request with inputs in registers, so that outputs may be written anywhere.
template <unsigned Request, function_of_numbers F, class Outputs, class... N>
[[gnu::always_inline]] inline void run_into(const F& f, Outputs& outputs, N... numbers) {
    const double point[] = {numbers...};
    function_parts::run<Request>(static_cast<const typename shape_of<F>::function&>(f), outputs, point);
}

} // namespace chainrule::detail
