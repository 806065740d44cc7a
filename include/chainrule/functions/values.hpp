// SPDX-License-Identifier: BSL-1.0
//
// The values of the functions of the table, and the further functions that its formulas may call: choices, constants,
// and values whose formula takes more than one expression.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/functions/value_sources.hpp>

#include <limits>

namespace chainrule {

/// The values of the functions for numbers: `<cmath>` for built-in types, argument-dependent lookup for others. clang
/// cannot call `<cmath>` in constant expressions, so the library's own versions are used there.
///
/// A class, so that argument-dependent lookup never applies to the calls in a formula: a number of another library may
/// have its own exp() or select(). It is never constructed.
struct evaluation {
    evaluation() = delete;

#define CHAINRULE_UNARY(NAME, VALUE, ...)                                                                              \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] static constexpr T NAME(const T& x) {                                                       \
        CHAINRULE_VALUE(NAME, CHAINRULE_SOURCE_##VALUE, (functions::closed_number<T>(x)), x)                           \
    }
#define CHAINRULE_BINARY(NAME, VALUE, ...)                                                                             \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] static constexpr T NAME(const T& x, const T& y) {                                           \
        CHAINRULE_VALUE(NAME, CHAINRULE_SOURCE_##VALUE,                                                                \
                        (functions::closed_number<T>(x), functions::closed_number<T>(y)), x, y)                        \
    }
#define CHAINRULE_TERNARY(NAME, VALUE, ...)                                                                            \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] static constexpr T NAME(const T& x, const T& y, const T& z) {                               \
        CHAINRULE_VALUE(                                                                                               \
            NAME, CHAINRULE_SOURCE_##VALUE,                                                                            \
            (functions::closed_number<T>(x), functions::closed_number<T>(y), functions::closed_number<T>(z)), x, y, z) \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    /// clang prints its name if a value is unavailable.
    CHAINRULE_HOST_DEVICE static void this_function_cannot_be_evaluated_by_clang_in_a_constant_expression() {}

    /// a if the condition holds, else b; an integer takes the type of the other.
    template <class A, class B>
    [[gnu::always_inline]] static constexpr auto select(bool condition, const A& a, const B& b) {
        using type = std::conditional_t<std::integral<A>, B, A>;
        return condition ? static_cast<type>(a) : static_cast<type>(b);
    }
    /// The same by truth values of lanes, or of a class of its own.
    template <class C, class A, class B>
    requires(!std::same_as<C, bool>)
    [[gnu::always_inline]] static constexpr auto select(const C& condition, const A& a, const B& b) {
        using type = std::conditional_t<std::integral<A>, B, A>;
        return by_lookup::chosen(condition, static_cast<type>(a), static_cast<type>(b));
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

    /// x, but at least low and at most high; if low > high, low where x < low, else high.
    template <class T>
    static constexpr T clamped(const T& x, const T& low, const T& high) {
        if (low != low) return low;
        if (high != high) return high;
        return x < low ? low : high < x ? high : x;
    }

    /// 1 if x > y, else 0; NaN if x or y is NaN.
    template <class T>
    static constexpr T step_beyond(const T& x, const T& y) {
        // One choice per variable, so that compilers vectorise loops over it.
        const T step = x > y ? T(1) : T(0), known = y == y ? step : y;
        return x == x ? known : x;
    }

    /// The share of x in r, which is x or y: 1, 1/2 if x and y are equal, else 0; NaN if r is NaN.
    template <class T>
    static constexpr T share_of_two(const T& r, const T& x, const T& y) {
        // Both arms first, so that compilers emit conditional moves: a branch would be hard to predict.
        const T all = x == y ? T(0.5) : T(1), none = r == r ? T(0) : r;
        return r == x ? all : none;
    }

    /// A number without its fractional part, if its type supports that.
    template <class T>
    static constexpr T whole_part(const T& x) {
        if constexpr (std::floating_point<T> || by_lookup::can_truncate<T>)
            return trunc(x);
        else
            return x;
    }

    /// The n-th power of x for n > 0 by repeated squaring, from the lowest bit of n on.
    template <class T>
    static constexpr T product_of_equals(T x, int n) {
        for (; n % 2 == 0; n /= 2) x = x * x;
        T product = x;
        while (n > 1) {
            n /= 2;
            x = x * x;
            if (n % 2 != 0) product = product * x;
        }
        return product;
    }
    /// x to an integer power from -64 to 64.
    template <class T>
    static constexpr T small_power(const T& x, int n) {
        if (n == 0) return T(1);
        return n > 0 ? product_of_equals(x, n) : T(1) / product_of_equals(x, -n);
    }

    /// x to the power n, truncated to an integer: by multiplication, in the order of pow(x, n_c), if |n| is at most 64;
    /// otherwise, where multiplication would lose accuracy, by pow. 1 for n = 0, for every x.
    template <class T>
    static constexpr T power_of_integer(const T& x, const T& n) {
        if constexpr (std::floating_point<T>) {
            if (-65 < n && n < 65) return small_power(x, static_cast<int>(n));
            return pow(x, trunc(n));
        } else {
            // A class need not convert to an integer; complex numbers do not.
            const T whole = whole_part(n);
            for (int k = 0; k <= 64; ++k) {
                if (whole == T(static_cast<double>(k))) return small_power(x, k);
                if (whole == T(static_cast<double>(-k))) return small_power(x, -k);
            }
            return by_lookup::pow_of(x, whole);
        }
    }

    /// x 2^n, rounded once; n is truncated to an integer.
    template <class T>
    static constexpr T scaled_by_power_of_two(const T& x, const T& n) {
        if constexpr (std::floating_point<T>) {
            constexpr T limit = 4 * std::numeric_limits<T>::max_exponent;
            if (n != n) return n;
            const int exponent = static_cast<int>(n < -limit ? -limit : limit < n ? limit : n);
            CHAINRULE_CONSTANT_CASE(ldexp, x, exponent)
            CHAINRULE_BUILTIN(ldexp, x, exponent)
        } else {
            return x * power_of_integer(T(2), n);
        }
    }

    /// The derivative of x^n of the given order with respect to x: n (n - 1) ... x^(n - order), 0 if that factor is 0.
    /// n and the order are truncated to integers.
    template <class T>
    static constexpr T derivative_of_power(const T& order, const T& x, const T& n) {
        T factor(1), rest = whole_part(n), left = whole_part(order);
        for (int k = 0; k < 64 && left != T(0); ++k, left = left - T(1), rest = rest - T(1)) factor = factor * rest;
        return factor == T(0) ? T(0) : factor * power_of_integer(x, rest);
    }

    /// The nearest integer, halves to even. No compiler evaluates rint in a constant expression.
    template <class T>
    static constexpr T nearest_whole(const T& x) {
        if constexpr (std::floating_point<T>)
            if (!std::is_constant_evaluated()) {
                CHAINRULE_BUILTIN(rint, x)
            }
        const T whole = trunc(x);
        if (!(whole < x || x < whole)) return x;
        const T rest = x < whole ? whole - x : x - whole, half = whole / 2;
        const bool up = rest > T(0.5) || (rest == T(0.5) && trunc(half) != half);
        return !up ? whole : x < 0 ? whole - 1 : whole + 1;
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
        return x + (d > -irrational::ln_2.as<T>() ? log(-expm1(d)) : log1p(-exp(d)));
    }

    /// x as an integer, odd or even, and a remainder of at most 1/2, exactly.
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

    /// The spherical Bessel function of the first kind, of an order from 0 to 112, truncated to an integer: from two
    /// lower orders (DLMF 10.51.1), or where that loses digits, by its series (10.53.1), or where that loses them too,
    /// from higher orders. 0 for negative orders. Derivatives of those up to 100 take the higher ones.
    template <class T>
    static constexpr T spherical_bessel(const T& order, const T& x) {
        if (order != order || x != x) return order + x;
        if (!(order < T(113))) return T(std::numeric_limits<double>::quiet_NaN()); // a class may have no limits
        int n = -1;
        while (T(n + 1) <= order) ++n;
        if (n < 1) return n < 0 ? T(0) : sinc(x);
        const T half = x * x / 2;
        if (half < T(2 * n + 3)) {
            T sum = 1, factor = 1;
            for (int k = 20 + n; k >= 1; --k) sum = 1 - half / static_cast<T>(k * (2 * n + 2 * k + 1)) * sum;
            for (int k = 1; k <= n; ++k) factor = factor * x / static_cast<T>(2 * k + 1);
            return factor * sum;
        }
        if (x < T(n + 1) && T(-n - 1) < x) return spherical_bessel_from_above(n, x);
        T before = sin(x) / x, last = (before - cos(x)) / x;
        for (int k = 1; k < n; ++k) {
            const T next = static_cast<T>(2 * k + 1) / x * last - before;
            before = last;
            last = next;
        }
        return last;
    }
    /// The same for an order n of about |x| or more, by the ratios of the higher orders (DLMF 3.6(v)): up to a factor,
    /// which the orders 0 and 1 give.
    template <class T>
    static constexpr T spherical_bessel_from_above(int n, const T& x) {
        T ratio = 0; // of an order to the one below
        for (int k = n + 60; k > n; --k) ratio = 1 / (static_cast<T>(2 * k + 1) / x - ratio);
        const T scale(0x1p-116); // the lower orders are up to 1e70 times as large
        T last = scale, after = ratio * scale;
        for (int k = n; k >= 1; --k) {
            const T before = static_cast<T>(2 * k + 1) / x * last - after;
            after = last;
            last = before;
        }
        const T size = last < 0 ? T(-last) : last;
        return scale * (-size < after && after < size ? T(sinc(x) / last) : T(first_spherical_bessel(x) / after));
    }

    /// e^(x^2) erfc(x); for large x by its continued fraction (DLMF 7.9.1).
    template <class T>
    static constexpr T scaled_erfc(const T& x) {
        if (x < 5) {
            // The rounding error of the square matters in the exponential, until that overflows.
            const T square = x * x, error = x < -1000 ? T(0) : T(fma(x, x, -square));
            return exp(square) * (1 + error) * erfc(x);
        }
        T fraction = x;
        for (int n = 40; n >= 1; --n) fraction = x + static_cast<T>(n) / 2 / fraction;
        return irrational::two_over_sqrt_pi * (T(0.5) / fraction);
    }
};

} // namespace chainrule

#undef CHAINRULE_SOURCE_CMATH
#undef CHAINRULE_SOURCE_BUILTIN
#undef CHAINRULE_SOURCE_BOOST
#undef CHAINRULE_SOURCE_FORMULA
#undef CHAINRULE_SOURCE_CHOICE
#undef CHAINRULE_SOURCE_STEPPED
#undef CHAINRULE_VALUE
#undef CHAINRULE_VALUE_FROM
#undef CHAINRULE_VALUE_cmath
#undef CHAINRULE_VALUE_builtin
#undef CHAINRULE_VALUE_boost
#undef CHAINRULE_VALUE_formula
#undef CHAINRULE_VALUE_choice
#undef CHAINRULE_VALUE_stepped
#undef CHAINRULE_CONSTANT_CASE
#undef CHAINRULE_NO_CONSTANT_CASE
#undef CHAINRULE_NOT_ON_DEVICE
#undef CHAINRULE_BUILTIN
