// SPDX-License-Identifier: BSL-1.0
//
// Arithmetic of two dual numbers that do not fit together is refused, with one sentence instead of every operator.
#pragma once

#include <chainrule/dual/dual.hpp>

namespace chainrule {

// (Of dual numbers of dual numbers, the inner one is a number.)
#define CHAINRULE_REFUSED(SYMBOL)                                                                                      \
    template <class T, std::size_t N, class U, std::size_t M>                                                          \
    requires(!std::same_as<dual<T, N>, dual<U, M>> && !detail::becomes_number<dual<U, M>, T> &&                        \
             !detail::becomes_number<dual<T, N>, U>)                                                                   \
    constexpr dual<T, N> operator SYMBOL(const dual<T, N>& a, const dual<U, M>&) {                                     \
        constexpr bool fits = sizeof(U) == 0;                                                                          \
        static_assert(fits, "a * b: the dual numbers differ in the type of their values or in the number of their "    \
                            "directions; give both the same, as in dual<double, 2>, or pass b.value, a constant");     \
        return a;                                                                                                      \
    }
CHAINRULE_REFUSED(+)
CHAINRULE_REFUSED(-)
CHAINRULE_REFUSED(*)
CHAINRULE_REFUSED(/)
#undef CHAINRULE_REFUSED

} // namespace chainrule
