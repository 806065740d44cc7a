// SPDX-License-Identifier: BSL-1.0
//
// The names that the class of a custom function may call: every function of the table and select(), for numbers and for
// formula terms. The class inherits them, so sin(x) needs no using-declaration and works in constant expressions on
// every compiler.
#pragma once

#include <chainrule/kernel/numbers.hpp>
#include <chainrule/custom_function/formula_term.hpp>

namespace chainrule {

namespace detail {

/// The functions of the table as members.
class functions_in_scope {
protected:
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class A>                                                                                                 \
    [[gnu::always_inline]] static constexpr auto NAME(const A& x) {                                                    \
        using T = kernel::common_number<A>;                                                                            \
        return evaluation::NAME(static_cast<T>(x));                                                                    \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class A, class B>                                                                                        \
    [[gnu::always_inline]] static constexpr auto NAME(const A& x, const B& y) {                                        \
        using T = kernel::common_number<A, B>;                                                                         \
        return functions::called_with<functions::NAME, B>::type::value(static_cast<T>(x), static_cast<T>(y));          \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class A, class B, class C>                                                                               \
    [[gnu::always_inline]] static constexpr auto NAME(const A& x, const B& y, const C& z) {                            \
        using T = kernel::common_number<A, B, C>;                                                                      \
        return evaluation::NAME(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));                              \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    template <class C, class A, class B>
    [[gnu::always_inline]] static constexpr auto select(const C& condition, const A& a, const B& b) {
        if constexpr (std::is_same_v<C, bool>) {
            using T = kernel::common_number<A, B>;
            return condition ? static_cast<T>(a) : static_cast<T>(b);
        } else if constexpr (std::is_same_v<C, graph_condition>) {
            return by_lookup::chosen(condition, formula_term(a), formula_term(b));
        } else {
            using T = kernel::common_number<A, B>;
            return by_lookup::chosen(condition, static_cast<T>(a), static_cast<T>(b));
        }
    }
};

} // namespace detail
} // namespace chainrule
