// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of the incomplete gamma function with respect to its order: its series and its continued fraction,
// computed with truncated power series in the order. chainrule/special_functions.hpp uses them for the values of rows
// of the table.
#pragma once

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainrule::special_values {

/// No exceptions: outside their domains functions are NaN or infinite.
using quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::denorm_error<boost::math::policies::ignore_error>,
    boost::math::policies::rounding_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::indeterminate_result_error<boost::math::policies::ignore_error>>;

/// An order beyond what an int holds is out of every domain.
template <class T>
bool is_order(const T& n) {
    return T(-2e9) < n && n < T(2e9);
}

/// polygamma(n, x). From -1 / epsilon on down, every number is an integer, and so a pole: Boost.Math throws there in
/// spite of the policy.
template <class T>
T polygamma_of(int n, const T& x) {
    if (x <= -1 / std::numeric_limits<T>::epsilon()) return std::numeric_limits<T>::quiet_NaN();
    return boost::math::polygamma(n, x, quiet());
}

/// The derivatives that gamma_by_order knows: up to this order.
inline constexpr int highest_order = 12;

/// Taylor coefficients in the order a of a function of a and x.
template <class T>
struct order_series {
    T at[highest_order + 1] = {};
    int count; // coefficients

    explicit order_series(int order) : count(order + 1) {}

    order_series& operator+=(const order_series& other) {
        for (int k = 0; k < count; ++k) at[k] += other.at[k];
        return *this;
    }
    friend order_series operator*(const order_series& s, const order_series& t) {
        order_series r(s.count - 1);
        for (int i = 0; i < s.count; ++i)
            for (int k = 0; i + k < s.count; ++k) r.at[i + k] += s.at[i] * t.at[k];
        return r;
    }
    friend order_series operator/(const order_series& s, const order_series& t) {
        order_series r(s.count - 1);
        for (int i = 0; i < s.count; ++i) {
            r.at[i] = s.at[i];
            for (int k = 1; k <= i; ++k) r.at[i] -= t.at[k] * r.at[i - k];
            r.at[i] /= t.at[0];
        }
        return r;
    }
    /// c + slope a', where a' is the distance from the order.
    static order_series linear(int order, T c, T slope) {
        order_series r(order);
        r.at[0] = c;
        if (order > 0) r.at[1] = slope;
        return r;
    }
    /// The derivative of that order.
    [[nodiscard]] T derivative(int order) const {
        T r = at[order];
        for (int k = 2; k <= order; ++k) r *= static_cast<T>(k);
        return r;
    }
};

/// x^(a - 1) e^-x / Gamma(a) as a series in a: the exponential of its logarithm's (Knuth, TAOCP 2, 4.7). Below a = 1,
/// a / x times the one at a + 1 (DLMF 5.5.1), down to -20: near a = 0 the logarithm's terms would cancel, and
/// derivatives with respect to x lead below 0.
template <class T>
order_series<T> gamma_density_series(int order, T a, T x) {
    if (-20 <= a && a < 1) {
        order_series<T> above = gamma_density_series(order, a + 1, x) * order_series<T>::linear(order, a, 1);
        for (int k = 0; k <= order; ++k) above.at[k] /= x;
        return above;
    }
    order_series<T> logarithm(order), r(order);
    T factorial = 1;
    for (int k = 1; k <= order; ++k) {
        factorial *= static_cast<T>(k);
        logarithm.at[k] =
            (k == 1 ? std::log(x) - boost::math::digamma(a, quiet()) : -polygamma_of(k - 1, a)) / factorial;
    }
    r.at[0] = boost::math::gamma_p_derivative(a, x, quiet());
    for (int k = 1; k <= order; ++k) {
        for (int j = 1; j <= k; ++j) r.at[k] += static_cast<T>(j) * logarithm.at[j] * r.at[k - j];
        r.at[k] /= static_cast<T>(k);
    }
    return r;
}

/// The derivative of the regularised incomplete gamma function P(a, x) by a, of an order from 1 on (DLMF 8.7.1, 8.9.2).
template <class T>
T gamma_p_derivative_by_order(int order, T a, T x) {
    using series = order_series<T>;
    if (order < 1 || order > highest_order || !(a > 0) || !(x >= 0)) return std::numeric_limits<T>::quiet_NaN();
    if (x == 0 || x == std::numeric_limits<T>::infinity()) return 0;
    // About x = a, the number of terms is a multiple of this root: too many for a result in good time beyond a = 1e12.
    const T root = std::sqrt(a);
    if (root > T(1e6)) {
        const bool vanishes =
            a < std::numeric_limits<T>::infinity() && boost::math::gamma_p_derivative(a, x, quiet()) == 0;
        return vanishes ? T(0) : std::numeric_limits<T>::quiet_NaN();
    }
    if (x < a + 1) {
        series term = gamma_density_series(order, a + 1, x), sum = term;
        for (T m = 1; m < 10000 + 16 * root; ++m) {
            term = term * series::linear(order, x, 0) / series::linear(order, a + m, 1);
            sum += term;
            if (std::abs(term.at[order]) <= std::numeric_limits<T>::epsilon() / 16 * std::abs(sum.at[order])) break;
        }
        return sum.derivative(order);
    }
    const int terms = std::max(400, static_cast<int>(3 * root));
    series fraction = series::linear(order, x + T(2 * terms + 1) - a, -1);
    for (int k = terms; k >= 1; --k) {
        const T n = static_cast<T>(k);
        series next = series::linear(order, x + 2 * n - 1 - a, -1);
        next += series::linear(order, -n * (n - a), n) / fraction;
        fraction = next;
    }
    return -(gamma_density_series(order, a, x) * series::linear(order, x, 0) / fraction).derivative(order);
}

} // namespace chainrule::special_values
