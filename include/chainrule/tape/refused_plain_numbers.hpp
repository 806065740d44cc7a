// SPDX-License-Identifier: BSL-1.0
//
// Uses of the numbers of a tape, a trace or a recording as plain numbers, each with a sentence in place of a list of
// candidates.
#pragma once

#include <chainrule/functions/standard_functions.hpp>

#include <concepts>
#include <type_traits>

namespace chainrule::tape {

/// A base class of numbers whose operations are recorded.
template <class Number>
class refused_plain_numbers {
    template <class U>
    static constexpr bool refused_implicitly =
        requires { requires std::same_as<U, functions::refused_plain<typename Number::plain_number>>; };

public:
#define CHAINRULE_CHANGE_OF_PLAIN_NUMBER(SYMBOL)                                                                       \
    template <class U>                                                                                                 \
    requires(std::is_arithmetic_v<U>)                                                                                  \
    friend U& operator SYMBOL(U & plain, const Number&) {                                                              \
        constexpr bool holds_derivatives = sizeof(U) == 0;                                                             \
        static_assert(holds_derivatives, "s " #SYMBOL " x: the plain number s would lose the derivatives of x; give "  \
                                         "s the type of x, or use value(x)");                                          \
        return plain;                                                                                                  \
    }
    CHAINRULE_CHANGE_OF_PLAIN_NUMBER(+=)
    CHAINRULE_CHANGE_OF_PLAIN_NUMBER(-=)
    CHAINRULE_CHANGE_OF_PLAIN_NUMBER(*=)
    CHAINRULE_CHANGE_OF_PLAIN_NUMBER(/=)
#undef CHAINRULE_CHANGE_OF_PLAIN_NUMBER

    // As in std::sin(x), for the type to which that converts, and otherwise as in static_cast<int>(x) and `if (x)`.
    // (Not as in `double y = x`: `x > 0 ? x : 0.0` would be ambiguous. Of that clang prints the line of the operator.)
    template <class U>
    requires std::is_arithmetic_v<U>
    explicit(!refused_implicitly<U>) operator U() const { // write auto y = x * 2.0, not double, or value(x * 2.0)
        if constexpr (refused_implicitly<U>) {
            return functions::refused_by_standard_functions<Number, U>();
        } else if constexpr (std::same_as<U, bool>) {
            constexpr bool is_truth = sizeof(Number) == 0;
            static_assert(is_truth, "if (x): a number with derivatives is neither true nor false; compare it, as in "
                                    "x != 0");
            return {};
        } else {
            return functions::refused_as_plain<Number, U>();
        }
    }
};

} // namespace chainrule::tape
