// SPDX-License-Identifier: BSL-1.0
//
// Functions and distributions of Boost.Math with numbers that have derivatives, and with expressions of active numbers:
// boost::math::log1p(-x) and cdf(normal(), x) compute in active numbers. Without this header its code fails where it
// converts such a number to an integer, as in its Bessel functions, or passes an expression on.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/recording/comparison.hpp>

#include <boost/math/special_functions/round.hpp>
#include <boost/math/special_functions/trunc.hpp>
#include <boost/math/tools/promotion.hpp>
#include <boost/math/tools/rational.hpp>

#include <cstddef>

namespace boost::math::tools {

/// Boost.Math computes functions of an expression in its numbers.
template <class E>
requires chainrule::tape::formula_of_numbers<E, chainrule::tape::active<typename chainrule::tape::actives_in<E>::type>>
struct promote_arg<E> {
    using type = chainrule::tape::active<typename chainrule::tape::actives_in<E>::type>;
};

// And polynomials, which since Boost 1.83 have results of their argument's type, an expression's too. Functions that
// are included before this header do not see these overloads.
#define CHAINRULE_POLYNOMIAL(NAME)                                                                                     \
    template <std::size_t N, class T, class V>                                                                         \
    requires chainrule::expressions::formula_of_actives<V>                                                             \
    typename promote_arg<V>::type NAME(const T(&coefficients)[N], const V& x) {                                        \
        return tools::NAME(coefficients, typename promote_arg<V>::type(x));                                            \
    }
CHAINRULE_POLYNOMIAL(evaluate_polynomial)
CHAINRULE_POLYNOMIAL(evaluate_even_polynomial)
CHAINRULE_POLYNOMIAL(evaluate_odd_polynomial)
#undef CHAINRULE_POLYNOMIAL
template <std::size_t N, class T, class U, class V>
requires chainrule::expressions::formula_of_actives<V>
typename promote_arg<V>::type evaluate_rational(const T (&numerator)[N], const U (&denominator)[N], const V& x) {
    return tools::evaluate_rational(numerator, denominator, typename promote_arg<V>::type(x));
}

} // namespace boost::math::tools

namespace chainrule {

// Boost.Math asks for these overloads beside a number type (boost/math/special_functions/trunc.hpp). A recording holds
// as long as the integer is the same.
#define CHAINRULE_INTEGER_OF(NAME, FUNCTION, INTEGER)                                                                  \
    template <class T, class Policy>                                                                                   \
    requires functions::has_own_rules<T>                                                                               \
    [[nodiscard]] INTEGER NAME(const T& x, const Policy& policy) {                                                     \
        return boost::math::FUNCTION(plain_value(CHAINRULE_WHOLE(x)), policy);                                         \
    }
#define CHAINRULE_WHOLE trunc
CHAINRULE_INTEGER_OF(itrunc, itrunc, int)
CHAINRULE_INTEGER_OF(iconvert, itrunc, int)
CHAINRULE_INTEGER_OF(ltrunc, ltrunc, long)
CHAINRULE_INTEGER_OF(lconvert, ltrunc, long)
CHAINRULE_INTEGER_OF(lltrunc, lltrunc, long long)
CHAINRULE_INTEGER_OF(llconvert, lltrunc, long long)
#undef CHAINRULE_WHOLE
#define CHAINRULE_WHOLE round
CHAINRULE_INTEGER_OF(iround, iround, int)
CHAINRULE_INTEGER_OF(lround, lround, long)
CHAINRULE_INTEGER_OF(llround, llround, long long)
#undef CHAINRULE_WHOLE
#undef CHAINRULE_INTEGER_OF

namespace tape {
using chainrule::iconvert, chainrule::lconvert, chainrule::llconvert;
using chainrule::iround, chainrule::lround, chainrule::llround;
using chainrule::itrunc, chainrule::ltrunc, chainrule::lltrunc;
} // namespace tape

} // namespace chainrule

#include <chainrule/core/names_end.inc>
