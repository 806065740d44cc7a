// SPDX-License-Identifier: BSL-1.0
//
// Values of functions that <cmath> lacks, such as digamma and the Bessel functions, from Boost.Math. Only this header
// includes Boost.Math; include it in addition to chainrule.hpp to use these functions. Their rows, with derivatives,
// are in functions/table.hpp like all others.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/functions/rows.hpp>
#include <chainrule/functions/gamma_by_order.hpp>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace chainrule::special_values {

#define CHAINRULE_BOOST_UNARY(NAME, VALUE)                                                                             \
    template <class T>                                                                                                 \
    struct NAME {                                                                                                      \
        static T at_run_time(const T& x) { return x != x ? x : static_cast<T>(VALUE); }                                \
    };
#define CHAINRULE_BOOST_BINARY(NAME, VALUE)                                                                            \
    template <class T>                                                                                                 \
    struct NAME {                                                                                                      \
        static T at_run_time(const T& x, const T& y) { return x != x ? x : y != y ? y : static_cast<T>(VALUE); }       \
    };
#define CHAINRULE_BOOST_OF_ORDER(NAME, VALUE)                                                                          \
    template <class T>                                                                                                 \
    struct NAME {                                                                                                      \
        static T at_run_time(const T& order, const T& x) {                                                             \
            if (order != order || x != x) return order + x;                                                            \
            if (!is_order(order)) return std::numeric_limits<T>::quiet_NaN();                                          \
            const int n = static_cast<int>(std::floor(order));                                                         \
            return static_cast<T>(VALUE);                                                                              \
        }                                                                                                              \
    };
#define CHAINRULE_BOOST_TERNARY(NAME, VALUE)                                                                           \
    template <class T>                                                                                                 \
    struct NAME {                                                                                                      \
        static T at_run_time(const T& x, const T& y, const T& z) {                                                     \
            return x != x ? x : y != y ? y : z != z ? z : static_cast<T>(VALUE);                                       \
        }                                                                                                              \
    };
/// The type in which values without a library function are computed.
template <class T>
using wide = std::conditional_t<(sizeof(T) < sizeof(double)), double, long double>;

/// Whether an argument, which is not NaN, is infinite: Boost.Math has no limits there.
template <class T>
bool is_infinite(const T& x) {
    return x - x != 0;
}
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

/// The Bessel function of the second kind. Boost.Math has no infinity at 0, and none of the right sign for odd negative
/// orders.
template <class T>
auto neumann(int n, const T& x) {
    using result = decltype(boost::math::cyl_neumann(n, x, quiet()));
    if (x == infinity<T>) return result(0);
    const result upright = x == 0 ? result(-infinity<T>) : boost::math::cyl_neumann(n < 0 ? -n : n, x, quiet());
    return n < 0 && n % 2 != 0 ? result(-upright) : upright;
}

CHAINRULE_BOOST_UNARY(normal_quantile,
                      -1.4142135623730950488L * boost::math::erfc_inv(2 * static_cast<wide<T>>(x), quiet()))
CHAINRULE_BOOST_UNARY(digamma, boost::math::digamma(x, quiet()))
CHAINRULE_BOOST_UNARY(trigamma, boost::math::trigamma(x, quiet()))
CHAINRULE_BOOST_OF_ORDER(polygamma, polygamma_of(n, x))
CHAINRULE_BOOST_BINARY(beta, boost::math::beta(x, y, quiet()))
CHAINRULE_BOOST_BINARY(gamma_p, boost::math::gamma_p(x, y, quiet()))
CHAINRULE_BOOST_BINARY(gamma_q, boost::math::gamma_q(x, y, quiet()))
CHAINRULE_BOOST_BINARY(gamma_density, y == infinity<T> && x > 0 ? 0 : boost::math::gamma_p_derivative(x, y, quiet()))
CHAINRULE_BOOST_TERNARY(gamma_p_by_order, is_order(x) ? gamma_p_derivative_by_order<wide<T>>(static_cast<int>(x), y, z)
                                                      : std::numeric_limits<wide<T>>::quiet_NaN())
CHAINRULE_BOOST_TERNARY(gamma_density_by_order,
                        x < 0 || x >= highest_order + 1
                            ? (x < 0 ? 0 : std::numeric_limits<wide<T>>::quiet_NaN())
                            : gamma_density_series<wide<T>>(static_cast<int>(x), y, z).derivative(static_cast<int>(x)))
CHAINRULE_BOOST_UNARY(expint, boost::math::expint(x, quiet()))
CHAINRULE_BOOST_UNARY(lambert_w0,
                      x == -infinity<T> ? std::numeric_limits<T>::quiet_NaN() : boost::math::lambert_w0(x, quiet()))
CHAINRULE_BOOST_UNARY(j0, is_infinite(x) ? 0 : boost::math::cyl_bessel_j(0, x, quiet()))
CHAINRULE_BOOST_UNARY(j1, is_infinite(x) ? 0 : boost::math::cyl_bessel_j(1, x, quiet()))
CHAINRULE_BOOST_OF_ORDER(jn, is_infinite(x) ? 0 : boost::math::cyl_bessel_j(n, x, quiet()))
CHAINRULE_BOOST_UNARY(y0, neumann(0, x))
CHAINRULE_BOOST_UNARY(y1, neumann(1, x))
CHAINRULE_BOOST_OF_ORDER(yn, neumann(n, x))

#undef CHAINRULE_BOOST_UNARY
#undef CHAINRULE_BOOST_BINARY
#undef CHAINRULE_BOOST_OF_ORDER
#undef CHAINRULE_BOOST_TERNARY

} // namespace chainrule::special_values

#include <chainrule/core/names_end.inc>
