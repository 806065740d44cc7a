// SPDX-License-Identifier: BSL-1.0
//
// The values of rows of the table that choose, for SIMD lanes: numbers whose comparisons hold truth values of several
// lanes, such as those of batches, std::experimental::simd and xsimd::batch. All arms are computed.
#pragma once

#include <chainrule/functions/names.hpp>

#include <type_traits>

namespace chainrule {

namespace functions {

/// The values, as NAME(arguments).
template <class T>
struct values_of_lanes {
#define CHAINRULE_UNARY(NAME) [[gnu::always_inline]] static constexpr T NAME(const T& x)
#define CHAINRULE_BINARY(NAME) [[gnu::always_inline]] static constexpr T NAME(const T& x, const T& y)
#define CHAINRULE_TERNARY(NAME) [[gnu::always_inline]] static constexpr T NAME(const T& x, const T& y, const T& z)
    template <class C>
    [[gnu::always_inline]] static constexpr T pick(const C& c, const T& a, const T& b) {
        return by_lookup::chosen(c, a, b);
    }
    [[gnu::always_inline]] static constexpr auto is_nan(const T& x) {
        if constexpr (functions::has_functions_of_table<T>)
            return x != x;
        else
            return !(x == x); // x != x is false for a NaN in some versions of xsimd
    }

    CHAINRULE_UNARY(sinpi) {
        const T whole = by_lookup::round_of(x), half = whole / T(2), rest = x - whole;
        // 1 and -1 are exact: the sine of a vector library, near pi / 2, is not.
        const T sine = by_lookup::sin_of(irrational::pi.as<T>() * rest), twice = rest + rest;
        const T value = pick(by_lookup::fabs_of(twice) == T(1), twice, sine);
        return pick(by_lookup::trunc_of(half) == half, value, -value);
    }
    CHAINRULE_UNARY(cospi) {
        const T whole = by_lookup::round_of(x), half = whole / T(2), rest = by_lookup::fabs_of(T(x - whole));
        const T quarter = T(1) / T(4);
        const T value = pick(rest > quarter, by_lookup::sin_of(irrational::pi.as<T>() * (T(2) * quarter - rest)),
                             by_lookup::cos_of(irrational::pi.as<T>() * rest));
        return pick(by_lookup::trunc_of(half) == half, value, -value);
    }
    CHAINRULE_UNARY(sinc) { return pick(x == T(0), T(1), by_lookup::sin_of(x) / x); }
    CHAINRULE_UNARY(spherical_j1) {
        const auto near = (x < T(1)) & (T(-1) < x);
        T sum(1), n(24);
        for (int k = 12; k >= 1; --k, n = n - T(2)) sum = T(1) - x * x / (n * (n + T(3))) * sum;
        return pick(near, x / T(3) * sum, (by_lookup::sin_of(x) / x - by_lookup::cos_of(x)) / x);
    }
    CHAINRULE_BINARY(xlogy) { return pick((x == T(0)) & (y == y), x * T(0), x * by_lookup::log_of(y)); }
    CHAINRULE_UNARY(softplus) {
        const auto negative = x < T(0);
        return pick(negative, T(0), x) + by_lookup::log1p_of(T(by_lookup::exp_of(pick(negative, x, -x))));
    }
    CHAINRULE_UNARY(log1p_exp) { return softplus(x); }
    CHAINRULE_BINARY(log_sum_exp) {
        const auto less = x < y;
        const T value = pick(less, y, x) + by_lookup::log1p_of(T(by_lookup::exp_of(pick(less, x - y, y - x))));
        return pick(x == y, x + irrational::ln_2.as<T>(), value); // infinities included
    }
    CHAINRULE_BINARY(log_diff_exp) {
        const T d = y - x;
        return x + pick(d > -irrational::ln_2.as<T>(), by_lookup::log_of(T(-by_lookup::expm1_of(d))),
                        by_lookup::log1p_of(T(-by_lookup::exp_of(d))));
    }
    CHAINRULE_UNARY(sign) { return pick(x > T(0), T(1), pick(x < T(0), T(-1), x)); }
    CHAINRULE_UNARY(relu) { return pick(x <= T(0), T(0), x); }
    CHAINRULE_BINARY(max) { return pick(is_nan(y) | (x < y), y, x); }
    CHAINRULE_BINARY(min) { return pick(is_nan(y) | (y < x), y, x); }
    CHAINRULE_BINARY(fmax) { return pick(is_nan(y) | (y <= x), x, y); }
    CHAINRULE_BINARY(fmin) { return pick(is_nan(y) | (x <= y), x, y); }
    CHAINRULE_BINARY(fdim) { return pick(x <= y, T(0), x - y); }
    CHAINRULE_TERNARY(clamp) { return pick(is_nan(y), y, pick(is_nan(z), z, pick(x < y, y, pick(z < x, z, x)))); }
    CHAINRULE_TERNARY(share) {
        const T all(1), half = all / T(2);
        return pick(x == y, pick(y == z, half, all), pick(x == x, T(0), x));
    }
    CHAINRULE_BINARY(taken) { return pick(is_nan(x), x, pick(is_nan(y), y, pick(x == y, T(1), T(0)))); }
    CHAINRULE_BINARY(exceeds) { return pick(x == x, pick(y == y, pick(x > y, T(1), T(0)), y), x); }
    CHAINRULE_BINARY(weighted) { return x * pick(x == T(0), T(0), y); }

    // Formulas with loops and branches.
    CHAINRULE_UNARY(erfcx) { return lane_by_lane<functions::erfcx>(x); }
    CHAINRULE_UNARY(rint) { return by_lookup::rint_of(x); }
    CHAINRULE_UNARY(nearbyint) { return by_lookup::nearbyint_of(x); }
    CHAINRULE_BINARY(spherical_jn) { return lane_by_lane<functions::spherical_jn>(x, y); }
    CHAINRULE_BINARY(integer_power) { return lane_by_lane<functions::integer_power>(x, y); }
    CHAINRULE_TERNARY(pow_by_order) { return lane_by_lane<functions::pow_by_order>(x, y, z); }
    CHAINRULE_BINARY(ldexp) { return lane_by_lane<functions::ldexp>(x, y); }
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
};

} // namespace functions
} // namespace chainrule
