// SPDX-License-Identifier: BSL-1.0
//
// Activations of static networks: the value, and the derivative computed from the result alone, since the argument is
// not kept.
#pragma once

#include <chainrule/functions/derivatives.hpp>
#include <chainrule/tensor/kernels/lanes.hpp>

#include <type_traits>

namespace chainrule::tensor::activations {

/// max(x, 0); the derivative at 0 is 0.
struct relu {
    /// The value in each lane.
    template <class Vector>
    [[gnu::always_inline]] static Vector of_lanes(const Vector& x) {
        return x < 0 ? Vector{} : x;
    }
    /// The derivative with respect to the argument, given that with respect to the result.
    template <class Vector>
    [[gnu::always_inline]] static Vector pull_back(const Vector& slope, const Vector& result) {
        return result <= 0 ? Vector{} : slope;
    }
    /// The value for a number of any kind, for example an expression.
    template <class Number>
    static constexpr auto of(const Number& x);
};

// Calls a row of the table with a number of any class, for example an expression.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class X>                                                                                                 \
    constexpr auto applied(functions::NAME, const X& x) {                                                              \
        return by_lookup::NAME##_of(x);                                                                                \
    }
#define CHAINRULE_BINARY(NAME, ...)
template <class F, class X>
requires requires { typename F::row; }
constexpr auto applied(F f, const X& x) {
    return f(x);
}
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY

/// A function of the table (functions/rows.hpp) or a custom function (chainrule/custom_function.hpp) whose derivative
/// can be computed from its result, like that of tanh.
template <class F>
struct function {
    using Row = typename functions::row_of<F>::type; ///< with its value and derivative

    /// The value in each lane.
    template <class Vector>
    [[gnu::always_inline]] static Vector of_lanes(Vector x) {
        for (std::size_t i = 0; i < sizeof(Vector) / sizeof(x[0]); ++i) x[i] = Row::value(x[i]);
        return x;
    }
    /// Refuses functions whose derivative needs the argument.
    template <class Number>
    static consteval void check_derivative() {
        static_assert(by_result<Number>(),
                      "static_network: the derivative of this activation is not a formula in its result alone; use an "
                      "activation such as relu or tanh");
    }
    /// The derivative with respect to the argument, given that with respect to the result.
    template <class Vector>
    [[gnu::always_inline]] static Vector pull_back(Vector slope, const Vector& result) {
        using number = std::remove_cvref_t<decltype(slope[0])>;
        for (std::size_t i = 0; i < sizeof(Vector) / sizeof(number); ++i) {
            const number r = result[i];
            slope[i] *= functions::derivative<0, Row>(r, r);
        }
        return slope;
    }
    /// The value for a number of any kind.
    template <class Number>
    static constexpr auto of(const Number& x) {
        if constexpr (std::floating_point<Number>)
            return Row::value(x);
        else
            return applied(F{}, x);
    }

private:
    // Whether the argument may be anything for the derivative. Of abs, it is the sign of the argument, which no
    // positive one tells: below 0, where the function has a value in constant expressions.
    template <class Number>
    static consteval bool by_result() {
        constexpr auto slope = [](double x) { return functions::derivative<0, Row>(Number(x), Number(0.5)); };
        if (slope(0.25) != slope(0.75) || slope(0.25) != slope(0.625)) return false;
        if constexpr (requires { typename std::bool_constant<by_result_below_0<Number>()>; })
            return by_result_below_0<Number>();
        else
            return true;
    }
    template <class Number>
    static constexpr bool by_result_below_0() {
        const Number x(-0.25), r = Row::value(x);
        return functions::derivative<0, Row>(x, r) == functions::derivative<0, Row>(r, r);
    }
};

template <class Number>
constexpr auto relu::of(const Number& x) {
    return function<functions::relu>::of(x);
}

/// The hyperbolic tangent.
using tanh = function<functions::tanh>;

/// 1 / (1 + exp(-x)), whose derivative is r (1 - r) for a result r. (That of the table is exact where r rounds to 1,
/// and needs the argument.)
struct sigmoid {
    template <class Vector>
    [[gnu::always_inline]] static Vector of_lanes(const Vector& x) {
        return function<functions::sigmoid>::of_lanes(x);
    }
    template <class Vector>
    [[gnu::always_inline]] static Vector pull_back(const Vector& slope, const Vector& result) {
        return (slope - slope * result) * result;
    }
    template <class Number>
    static constexpr auto of(const Number& x) {
        return function<functions::sigmoid>::of(x);
    }
};

} // namespace chainrule::tensor::activations
