// SPDX-License-Identifier: BSL-1.0
//
// Functions and distributions of Boost.Math with expressions of active numbers: boost::math::log1p(-x) and
// cdf(normal(), x) compute in active numbers. Without this header they take active numbers only, and fail inside Boost
// where its own code passes an expression on.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/comparison.hpp>

#include <boost/math/tools/promotion.hpp>

namespace boost::math::tools {

/// Boost.Math computes functions of an expression in its numbers.
template <class E>
requires chainrule::tape::formula_of_numbers<E, chainrule::tape::active<typename chainrule::tape::actives_in<E>::type>>
struct promote_arg<E> {
    using type = chainrule::tape::active<typename chainrule::tape::actives_in<E>::type>;
};

} // namespace boost::math::tools

#include <chainrule/core/names_end.inc>
