// SPDX-License-Identifier: BSL-1.0
//
// ^ and %, which neither expressions nor numbers that carry derivatives have. Includes nothing else of expressions:
// dual numbers on their own (chainrule/dual.hpp) refuse these too.
#pragma once

#include <chainrule/functions/names.hpp>

namespace chainrule {

#define CHAINRULE_REFUSED(SYMBOL, SENTENCE)                                                                            \
    template <functions::has_own_rules L, class R>                                                                     \
    constexpr L operator SYMBOL(const L& l, const R&) {                                                                \
        constexpr bool there = sizeof(R) == 0;                                                                         \
        static_assert(there, SENTENCE);                                                                                \
        return l;                                                                                                      \
    }                                                                                                                  \
    template <class L, functions::has_own_rules R>                                                                     \
    requires std::is_arithmetic_v<L>                                                                                   \
    constexpr R operator SYMBOL(L l, const R& r) {                                                                     \
        return r SYMBOL l;                                                                                             \
    }
CHAINRULE_REFUSED(^, "x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or "
                     "pow(x, 2_c) of an expression")
CHAINRULE_REFUSED(%, "x % y: expressions and numbers with derivatives have no operator %; write x - y * floor(x / y)")
#undef CHAINRULE_REFUSED

} // namespace chainrule
