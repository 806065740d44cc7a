// SPDX-License-Identifier: BSL-1.0
//
// Uses of the numbers of a tape, a trace or a recording as plain numbers, each with an error message instead of a list
// of candidates.
#pragma once

#include <chainrule/functions/standard_functions.hpp>

#include <array>
#include <concepts>
#include <type_traits>
#include <vector>

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
        return functions::refused_change<Number>(plain);                                                               \
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
            return functions::refused_as_truth<Number>();
        } else {
            return functions::refused_as_plain<Number, U>();
        }
    }
};

// Operators of a list of such numbers, with one sentence. Argument-dependent lookup finds them; operators of the user
// are better matches. Two lists have no +: what adds and multiplies counts as a number.
template <class Number>
struct number_beside_list {
    template <class Any>
    requires std::convertible_to<const Any&, Number>
    number_beside_list(const Any&) {}
};
template <class Number>
struct other_beside_list {
    template <class Any>
    requires(!std::convertible_to<const Any&, Number>)
    other_beside_list(const Any&) {}
};
template <class Number>
concept recorded_in_list = requires { typename Number::has_functions_of_table; };
template <class Number, class Result>
Result refused_operation() {
    constexpr bool of_numbers = sizeof(Number) == 0;
    static_assert(of_numbers, "x * y: an operand is a list of numbers with derivatives, which has no operators; write "
                              "x[0] * y[0], or a loop, or use vectors of Eigen");
    return {};
}
#define CHAINRULE_WITH_NUMBER(SYMBOL)                                                                                  \
    template <class Number, class Allocator>                                                                           \
    requires recorded_in_list<Number>                                                                                  \
    std::vector<Number, Allocator> operator SYMBOL(const std::vector<Number, Allocator>&,                              \
                                                   std::type_identity_t<number_beside_list<Number>>) {                 \
        return refused_operation<Number, std::vector<Number, Allocator>>();                                            \
    }                                                                                                                  \
    template <class Number, class Allocator>                                                                           \
    requires recorded_in_list<Number>                                                                                  \
    std::vector<Number, Allocator> operator SYMBOL(std::type_identity_t<number_beside_list<Number>>,                   \
                                                   const std::vector<Number, Allocator>&) {                            \
        return refused_operation<Number, std::vector<Number, Allocator>>();                                            \
    }                                                                                                                  \
    template <class Number, std::size_t Size>                                                                          \
    requires recorded_in_list<Number>                                                                                  \
    std::array<Number, Size> operator SYMBOL(const std::array<Number, Size>&,                                          \
                                             std::type_identity_t<number_beside_list<Number>>) {                       \
        return refused_operation<Number, std::array<Number, Size>>();                                                  \
    }                                                                                                                  \
    template <class Number, std::size_t Size>                                                                          \
    requires recorded_in_list<Number>                                                                                  \
    std::array<Number, Size> operator SYMBOL(std::type_identity_t<number_beside_list<Number>>,                         \
                                             const std::array<Number, Size>&) {                                        \
        return refused_operation<Number, std::array<Number, Size>>();                                                  \
    }
CHAINRULE_WITH_NUMBER(+)
CHAINRULE_WITH_NUMBER(-)
CHAINRULE_WITH_NUMBER(*)
CHAINRULE_WITH_NUMBER(/)
#undef CHAINRULE_WITH_NUMBER
#define CHAINRULE_WITH_OTHER(SYMBOL)                                                                                   \
    template <class Number, class Allocator>                                                                           \
    requires recorded_in_list<Number>                                                                                  \
    Number operator SYMBOL(const std::vector<Number, Allocator>&, std::type_identity_t<other_beside_list<Number>>) {   \
        return refused_operation<Number, Number>();                                                                    \
    }                                                                                                                  \
    template <class Number, std::size_t Size>                                                                          \
    requires recorded_in_list<Number>                                                                                  \
    Number operator SYMBOL(const std::array<Number, Size>&, std::type_identity_t<other_beside_list<Number>>) {         \
        return refused_operation<Number, Number>();                                                                    \
    }
CHAINRULE_WITH_OTHER(-)
CHAINRULE_WITH_OTHER(*)
CHAINRULE_WITH_OTHER(/)
#undef CHAINRULE_WITH_OTHER

} // namespace chainrule::tape
