// SPDX-License-Identifier: BSL-1.0
//
// Exact constants for the optimiser: fractions of 64-bit integers while they fit, and unevaluated sums of two doubles
// (106 bits) if they do not fit or if the constant is irrational.
#pragma once

#include <chainrule/core/hash.hpp>
#include <chainrule/functions/double_word_functions.hpp>
#include <chainrule/functions/rows.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace chainrule::core {

using double_word = constant_evaluation::double_word<double>;

/// A constant: the fraction numerator / denominator, or, if denominator is 0, the sum high + low. (Not a double_word as
/// a member: to construct one within each coefficient took g++ 5 % more memory for a Hessian of ten variables.)
struct coefficient {
    integer numerator = 0;
    integer denominator = 1;
    double high = 0;
    double low = 0;

    constexpr coefficient() = default;
    constexpr coefficient(integer value) : numerator(value) {}
    constexpr coefficient(double_word value) : denominator(0), high(value.hi), low(value.lo) {}
    constexpr coefficient(irrational value) : denominator(0), high(value.high), low(value.low) {}

    /// The fraction n / d in lowest terms; d > 0.
    [[nodiscard]] static constexpr coefficient fraction(integer n, integer d) {
        coefficient c;
        const integer g = common_divisor(n, d);
        c.numerator = n / g;
        c.denominator = d / g;
        return c;
    }

    /// The same where n and d have no common divisor.
    [[nodiscard]] static constexpr coefficient in_lowest_terms(integer n, integer d) {
        coefficient c(n);
        c.denominator = d;
        return c;
    }

    [[nodiscard]] constexpr bool exact() const { return denominator != 0; }
    [[nodiscard]] constexpr bool is(integer value) const { return denominator == 1 && numerator == value; }
    [[nodiscard]] constexpr bool is_zero() const { return denominator != 0 ? numerator == 0 : high == 0; }
    [[nodiscard]] constexpr bool negative() const { return denominator != 0 ? numerator < 0 : high < 0; }

    [[nodiscard]] constexpr coefficient operator-() const {
        coefficient c = *this;
        c.numerator = -numerator;
        c.high = -high;
        c.low = -low;
        return c;
    }
    [[nodiscard]] constexpr coefficient magnitude() const { return negative() ? -*this : *this; }

    friend constexpr bool operator==(const coefficient& a, const coefficient& b) {
        return a.numerator == b.numerator && a.denominator == b.denominator && a.high == b.high && a.low == b.low;
    }

    /// Whether two constants are equal, up to the rounding errors of irrational constants.
    [[nodiscard]] constexpr bool matches(const coefficient& other) const {
        if (exact() || other.exact()) return *this == other;
        if (!finite() || !other.finite())
            return std::bit_cast<hash_value>(high) == std::bit_cast<hash_value>(other.high);
        const double difference = (high - other.high) + (low - other.low);
        const double bound = high < 0 ? high * -0x1p-96 : high * 0x1p-96;
        return -bound <= difference && difference <= bound;
    }
    /// False only for constants that differ by more than rounding errors, also of fractions that overflowed.
    [[nodiscard]] constexpr bool may_equal(const coefficient& other) const {
        const double mine = exact() ? static_cast<double>(numerator) / static_cast<double>(denominator) : high;
        const double theirs =
            other.exact() ? static_cast<double>(other.numerator) / static_cast<double>(other.denominator) : other.high;
        if (!finite() || !other.finite()) return mine == theirs;
        const double difference = mine / 2 - theirs / 2, bound = mine * (mine < 0 ? -0x1p-41 : 0x1p-41);
        return -bound <= difference && difference <= bound;
    }
    /// Whether the constant is finite.
    [[nodiscard]] constexpr bool finite() const { return exact() || (-most <= high && high <= most); }
    /// Whether the constant is so large or small that a few more factors could overflow or underflow.
    [[nodiscard]] constexpr bool extreme() const {
        return denominator == 0 && !(0x1p-40 <= high && high <= 0x1p40) && !(-0x1p40 <= high && high <= -0x1p-40);
    }

    /// Almost always equal for constants that match.
    [[nodiscard]] constexpr hash_value hash() const {
        const hash_value h = mix(static_cast<hash_value>(numerator), static_cast<hash_value>(denominator));
        return denominator != 0 ? h : mix(h, std::bit_cast<hash_value>(high) >> 16);
    }

    friend constexpr coefficient operator*(const coefficient& a, const coefficient& b) {
        if (a.is(1)) return b;
        if (b.is(1)) return a;
        if (a.exact() && b.exact()) {
            const integer g = common_divisor(a.numerator, b.denominator);
            const integer h = common_divisor(b.numerator, a.denominator);
            coefficient c;
            if (!overflows(a.numerator / g, b.numerator / h, c.numerator) &&
                !overflows(a.denominator / h, b.denominator / g, c.denominator))
                return c;
        }
        return simplified(product(a.real(), b.real()));
    }

    friend constexpr coefficient operator+(const coefficient& a, const coefficient& b) {
        if (a.exact() && b.exact()) {
            const integer g = common_divisor(a.denominator, b.denominator);
            integer left = 0, right = 0, d = 0, n = 0;
            if (!overflows(a.numerator, b.denominator / g, left) && !overflows(b.numerator, a.denominator / g, right) &&
                !overflows(a.denominator, b.denominator / g, d) && !sum_overflows(left, right, n))
                return fraction(n, d);
        }
        const double_word x = a.real(), y = b.real();
        if (!moderate(x.hi) || !moderate(y.hi)) {
            const double half = infinite(x.hi) && infinite(y.hi) && x.hi != y.hi ? not_a_number : x.hi / 2 + y.hi / 2;
            if (!(-most / 2 <= half && half <= most / 2)) return scaled(half, 2);
        }
        const double_word sum = double_word::exact_sum(x.hi, y.hi);
        return simplified(double_word::ordered_sum(sum.hi, sum.lo + (x.lo + y.lo)));
    }

    /// 1 / *this; *this is not zero.
    [[nodiscard]] constexpr coefficient reciprocal() const {
        coefficient c;
        if (exact()) {
            c.numerator = numerator < 0 ? -denominator : denominator;
            c.denominator = numerator < 0 ? -numerator : numerator;
            return c;
        }
        return reciprocal({high, low});
    }

    /// The square root; *this is not negative.
    [[nodiscard]] constexpr coefficient square_root() const {
        const double_word x = real();
        const double root = evaluation::sqrt(x.hi);
        const double_word square = double_word::exact_product(root, root);
        const double rest = ((x.hi - square.hi) - square.lo) + x.lo;
        return simplified(double_word::ordered_sum(root, rest / (2 * root)));
    }

    /// The logarithm; *this is positive.
    [[nodiscard]] constexpr coefficient logarithm() const { return simplified(constant_evaluation::logarithm(real())); }

    /// The floating-point type that a number of type T is made from; for lanes of float, say, which no double converts
    /// to, it is that of one lane.
    template <class T>
    struct made_from {
        using type = std::conditional_t<
            std::floating_point<T>, T,
            std::conditional_t<(std::numeric_limits<T>::digits > std::numeric_limits<double>::digits), long double,
                               double>>;
    };
    template <class T>
    requires(std::numeric_limits<T>::digits <= std::numeric_limits<double>::digits) &&
            std::floating_point<typename T::value_type>
    struct made_from<T> {
        using type = typename T::value_type;
    };

    /// Whether a T has more digits than any floating-point type has. (Decimal ones: some types count in tens.)
    template <class T>
    static constexpr bool has_many_digits =
        !std::floating_point<T> && (std::numeric_limits<T>::digits10 > std::numeric_limits<long double>::digits10);

    /// The nearest number of type T.
    template <class T>
    [[nodiscard]] constexpr T as() const {
        if constexpr (has_many_digits<T>) {
            return exact() ? T(T(numerator) / T(denominator)) : T(T(high) + T(low));
        } else if constexpr (!std::floating_point<T>) {
            return static_cast<T>(as<typename made_from<T>::type>());
        } else {
            if (!exact()) return sum<T>();
            if (denominator == 1) return static_cast<T>(numerator);
            constexpr integer limit = integer{1}
                                      << (std::numeric_limits<T>::digits < 62 ? std::numeric_limits<T>::digits : 62);
            if (-limit <= numerator && numerator <= limit && denominator <= limit)
                return static_cast<T>(numerator) / static_cast<T>(denominator);
            if constexpr (std::numeric_limits<T>::digits <= 62) return rounded_quotient<T>();
            return static_cast<T>(numerator) / static_cast<T>(denominator);
        }
    }

private:
    static constexpr integer common_divisor(integer a, integer b) {
        if (a < 0) a = -a;
        // The denominator of a binary number: Euclid's algorithm would take a step per two bits.
        if (b > 0 && (b & (b - 1)) == 0) {
            const integer factor = a & -a; // the greatest power of two that divides a
            return factor != 0 && factor < b ? factor : b;
        }
        // (One statement for each division: clang counts them.)
        for (integer rest = 0; b != 0; a = b, b = rest) rest = a % b;
        return a == 0 ? 1 : a;
    }
    static constexpr bool overflows(integer a, integer b, integer& result) {
#if defined(__CUDACC__) // nvcc 13 does not evaluate the builtin in constant expressions; |a| and |b| are at most max()
        constexpr integer most = std::numeric_limits<integer>::max();
        if (a != 0 && (b < 0 ? -b : b) > most / (a < 0 ? -a : a)) return true;
        result = a * b;
        return false;
#else
        return __builtin_mul_overflow(a, b, &result) || result == std::numeric_limits<integer>::min();
#endif
    }
    static constexpr bool sum_overflows(integer a, integer b, integer& result) {
#if defined(__CUDACC__)
        constexpr integer most = std::numeric_limits<integer>::max();
        if (a > 0 ? b > most - a : b < -most - a) return true;
        result = a + b;
        return false;
#else
        return __builtin_add_overflow(a, b, &result) || result == std::numeric_limits<integer>::min();
#endif
    }
    // The number, or the simple fraction that equals it up to rounding errors: sqrt(2) * sqrt(2) is 2.
    static constexpr coefficient simplified(double_word number) {
        constexpr integer denominator = 5040;
        if (number.hi > -1e6 && number.hi < 1e6) {
            const double_word scaled = double_word::exact_product(number.hi, static_cast<double>(denominator));
            const integer n = static_cast<integer>(scaled.hi < 0 ? scaled.hi - 0.5 : scaled.hi + 0.5);
            const double distance =
                (scaled.hi - static_cast<double>(n)) + scaled.lo + number.lo * static_cast<double>(denominator);
            const double bound = scaled.hi * 0x1p-98;
            if (n != 0 && distance * distance <= bound * bound) return fraction(n, denominator);
        }
        return number;
    }
    // Constant expressions must not overflow: the following give an infinity, as arithmetic at run time does.
    static constexpr double most = std::numeric_limits<double>::max(), infinity = constant_evaluation::infinity<double>,
                            not_a_number = constant_evaluation::not_a_number<double>;
    static constexpr bool infinite(double x) { return x > most || x < -most; }
    static constexpr bool moderate(double x) { return -0x1p500 < x && x < 0x1p500; }
    static constexpr double_word scaled(double_word x, double factor) {
        if (x.hi != x.hi) return x;
        if (factor > 1 && x.hi > most / factor) return infinity;
        if (factor > 1 && x.hi < -most / factor) return -infinity;
        return {x.hi * factor, x.lo * factor};
    }
    static constexpr double_word product(double_word x, double_word y) {
        const bool x_fits = moderate(x.hi), y_fits = moderate(y.hi);
        if (x_fits && y_fits) return x * y;
        if (x.hi != x.hi || y.hi != y.hi) return not_a_number;
        if ((infinite(x.hi) && y.hi == 0) || (infinite(y.hi) && x.hi == 0)) return not_a_number;
        if (infinite(x.hi) || infinite(y.hi)) return (x.hi < 0) != (y.hi < 0) ? -infinity : infinity;
        double_word p = scaled(x, x_fits ? 1 : 0x1p-600) * scaled(y, y_fits ? 1 : 0x1p-600);
        if (!x_fits) p = scaled(p, 0x1p600);
        return y_fits || infinite(p.hi) ? p : scaled(p, 0x1p600);
    }
    // Infinity for a product that underflowed.
    static constexpr double_word reciprocal(double_word x) {
        const double size = x.hi < 0 ? -x.hi : x.hi;
        if (size == 0) return infinity;
        if (infinite(size)) return 0;
        if (size < 0x1p-500) return scaled(reciprocal(scaled(x, 0x1p600)), 0x1p600);
        if (size > 0x1p500) return scaled(reciprocal(scaled(x, 0x1p-600)), 0x1p-600);
        const double q = 1 / x.hi;
        const double_word one = double_word::exact_product(q, x.hi);
        return double_word::ordered_sum(q, q * (((1 - one.hi) - one.lo) - q * x.lo));
    }
    // The constant as a double word, exact for fractions up to the rounding of the quotient.
    [[nodiscard]] constexpr double_word real() const {
        if (!exact()) return {high, low};
        const double_word n = double_word::nearest(numerator);
        return denominator == 1 ? n : n * reciprocal(double_word::nearest(denominator));
    }
    // high + low, rounded once: high is already the nearest double. For a shorter type, the last place of high is made
    // odd if low is not 0 (round to odd), so that the second rounding is correct (Boldo and Melquiond, 2008).
    template <class T>
    [[nodiscard]] constexpr T sum() const {
        if constexpr (std::numeric_limits<T>::digits > 53) {
            return static_cast<T>(high) + static_cast<T>(low);
        } else if constexpr (std::numeric_limits<T>::digits == 53) {
            return static_cast<T>(high);
        } else {
            const auto bits = std::bit_cast<std::uint64_t>(high);
            if (low == 0 || (bits & 1) != 0) return static_cast<T>(high);
            return static_cast<T>(std::bit_cast<double>((low > 0) == (high > 0) ? bits + 1 : bits - 1));
        }
    }
    // Long division, rounded once, half to even.
    template <class T>
    [[nodiscard]] constexpr T rounded_quotient() const {
        std::uint64_t rest = static_cast<std::uint64_t>(numerator < 0 ? -numerator : numerator);
        const std::uint64_t divisor = static_cast<std::uint64_t>(denominator);
        std::uint64_t quotient = rest / divisor;
        rest %= divisor;
        int exponent = 0;
        while (quotient < (std::uint64_t{1} << (std::numeric_limits<T>::digits + 1))) {
            rest *= 2;
            quotient = quotient * 2 + (rest >= divisor ? 1 : 0);
            if (rest >= divisor) rest -= divisor;
            --exponent;
        }
        const int extra = static_cast<int>(std::bit_width(quotient)) - std::numeric_limits<T>::digits;
        const std::uint64_t dropped = quotient & ((std::uint64_t{1} << extra) - 1);
        const std::uint64_t half = std::uint64_t{1} << (extra - 1);
        quotient >>= extra;
        if (dropped > half || (dropped == half && (rest != 0 || (quotient & 1) != 0))) ++quotient;
        T result = static_cast<T>(quotient);
        for (int e = exponent + extra; e != 0; e += e < 0 ? 1 : -1) result = e < 0 ? result / 2 : result * 2;
        return numerator < 0 ? -result : result;
    }
};

} // namespace chainrule::core
