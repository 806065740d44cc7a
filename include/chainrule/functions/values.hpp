// SPDX-License-Identifier: BSL-1.0
//
// What may the formulas of the table call beside its functions? Choices, constants, and values whose formula takes more
// than an expression. Next is functions.hpp, which makes values and derivatives of the rows.
#pragma once

#include <chainrule/functions/names.hpp>

// The built-in functions are the ones <cmath> calls; <cmath> itself would double the cost of including this header.
#if defined(__CUDACC__)
#define CHAINRULE_BUILTIN(NAME, ...) return static_cast<T>(std::NAME(__VA_ARGS__));
#else
#define CHAINRULE_BUILTIN(NAME, ...)                                                                                   \
    if constexpr (std::same_as<T, float>)                                                                              \
        return __builtin_##NAME##f(__VA_ARGS__);                                                                       \
    else if constexpr (std::same_as<T, double>)                                                                        \
        return __builtin_##NAME(__VA_ARGS__);                                                                          \
    else                                                                                                               \
        return __builtin_##NAME##l(__VA_ARGS__);
#endif
#if defined(__clang__) || defined(__CUDACC__)
#define CHAINRULE_CONSTANT_CASE(NAME, ...)                                                                             \
    if (std::is_constant_evaluated()) return constant_evaluation::NAME(__VA_ARGS__);
#define CHAINRULE_NO_CONSTANT_CASE                                                                                     \
    if (std::is_constant_evaluated()) this_function_cannot_be_evaluated_by_clang_in_a_constant_expression();
#else
#define CHAINRULE_CONSTANT_CASE(NAME, ...)
#define CHAINRULE_NO_CONSTANT_CASE
#endif

namespace chainrule {

/// The values of the functions for numbers, <cmath> for the built-in types, argument-dependent lookup for others, and
/// their derivatives. In constant expressions clang cannot call <cmath>, so there the library's own versions answer.
///
/// A class, since what a formula calls by a name of its class is never looked up by the types of the arguments: a number
/// of another library may have an exp() or a select() of its own. It is never constructed.
struct evaluation {
    evaluation() = delete;

    // Declared first: formulas may use functions of later rows.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    static constexpr T NAME(const T& x);                                                                               \
    template <int, class T>                                                                                            \
    static constexpr T derivative_of_##NAME(const T& x, const T& r);
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    static constexpr T NAME(const T& x, const T& y);                                                                   \
    template <int K, class T>                                                                                          \
    static constexpr T derivative_of_##NAME(const T& x, const T& y, const T& r);
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class T>                                                                                                 \
    static constexpr T NAME(const T& x, const T& y, const T& z);                                                       \
    template <int K, class T>                                                                                          \
    static constexpr T derivative_of_##NAME(const T& x, const T& y, const T& z, const T& r);
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    /// Its name is what clang says where a value is not to be had.
    static void this_function_cannot_be_evaluated_by_clang_in_a_constant_expression() {}

    /// a where the condition holds, else b; an integer takes the type of the other.
    template <class A, class B>
    [[gnu::always_inline]] static constexpr auto select(bool condition, const A& a, const B& b) {
        using type = std::conditional_t<std::integral<A>, B, A>;
        return condition ? static_cast<type>(a) : static_cast<type>(b);
    }

    /// A constant as a number of the type of x.
    template <class T>
    static constexpr T like(const T&, int n) {
        return static_cast<T>(n);
    }
    template <class T>
    static constexpr T like(const T&, irrational c) {
        return c.as<T>();
    }

    /// |x|, the sign bit of a NaN or zero cleared.
    template <class T>
    [[gnu::always_inline]] static constexpr T magnitude(const T& x) {
        if constexpr (std::floating_point<T>) {
            CHAINRULE_CONSTANT_CASE(fabs, x)
            CHAINRULE_BUILTIN(fabs, x)
        } else {
            return static_cast<T>(by_lookup::abs_of(x));
        }
    }

    /// x, but at least low and at most high.
    template <class T>
    static constexpr T clamped(const T& x, const T& low, const T& high) {
        if (low != low) return low;
        if (high != high) return high;
        return x < low ? low : high < x ? high : x;
    }

    /// log(e^x + e^y)
    template <class T>
    static constexpr T log_of_sum(const T& x, const T& y) {
        if (x == y) return x + log(T(2)); // infinities included
        return x < y ? y + log1p(exp(x - y)) : x + log1p(exp(y - x));
    }

    /// log(e^x - e^y), by the formula that keeps the digits of the difference (Maechler, "Accurately computing
    /// log(1 - exp(-|a|))", 2012).
    template <class T>
    static constexpr T log_of_difference(const T& x, const T& y) {
        const T d = y - x;
        return x + (d > T(-0.6931) ? log(-expm1(d)) : log1p(-exp(d)));
    }

    /// x as a whole number, odd or even, and a rest of at most 1/2: exact.
    template <class T>
    struct half_turns {
        bool odd;
        T rest;

        constexpr explicit half_turns(const T& turns) {
            const T whole = round(turns), half = whole / 2;
            odd = trunc(half) != half;
            rest = turns - whole;
        }
    };
    /// sin(pi x)
    template <class T>
    static constexpr T sine_of_half_turns(const T& x) {
        const half_turns<T> t(x);
        const T value = sin(irrational::pi * t.rest);
        return t.odd ? -value : value;
    }
    /// cos(pi x)
    template <class T>
    static constexpr T cosine_of_half_turns(const T& x) {
        const half_turns<T> t(x);
        const T rest = t.rest < 0 ? -t.rest : t.rest;
        // The zeros are exact.
        const T value = rest > T(0.25) ? sin(irrational::pi * (T(0.5) - rest)) : cos(irrational::pi * rest);
        return t.odd ? -value : value;
    }

    /// (sin(x) / x - cos(x)) / x; near 0, where that cancels, by its series (DLMF 10.53.1).
    template <class T>
    static constexpr T first_spherical_bessel(const T& x) {
        if (!(x < 1 && -1 < x)) return (sin(x) / x - cos(x)) / x;
        T sum = 1;
        for (int k = 12; k >= 1; --k) sum = 1 - x * x / static_cast<T>(2 * k * (2 * k + 3)) * sum;
        return x / 3 * sum;
    }

    /// e^(x^2) erfc(x); for large x by its continued fraction (DLMF 7.9.1).
    template <class T>
    static constexpr T scaled_erfc(const T& x) {
        if (x < 5) {
            // The rounding error of the square matters to the exponential.
            const T square = x * x;
            return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
        }
        T fraction = x;
        for (int n = 40; n >= 1; --n) fraction = x + static_cast<T>(n) / 2 / fraction;
        return irrational::two_over_sqrt_pi * (T(0.5) / fraction);
    }
};

} // namespace chainrule
