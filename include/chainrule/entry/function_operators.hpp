// SPDX-License-Identifier: BSL-1.0
//
// The operators that functions lack, each with its error message.
#pragma once

#include <type_traits>

namespace chainrule::detail {

// Specialised, since clang writes out the type of an expression for which a requirement fails: also for the classes
// that extend a positional function.
template <class F>
inline constexpr bool is_positional_function = false;

/// Whether F and G are two functions, or a function and a number.
template <class F, class G>
concept function_and_operand = (is_positional_function<F> && (is_positional_function<G> || std::is_arithmetic_v<G>)) ||
                               (std::is_arithmetic_v<F> && is_positional_function<G>);

template <class F>
constexpr double refuse_arithmetic() {
    constexpr bool there = sizeof(F) == 0;
    static_assert(there, "F + G, 2 * F, -F: a function made by function(...) is not an expression; make one of f + g, "
                         "or add the values F(x) + G(x)");
    return 0.0;
}
template <class F>
constexpr bool refuse_comparison() {
    constexpr bool there = sizeof(F) == 0;
    static_assert(there, "F == G, F < G: functions made by function(...) are not compared; compare the values F(x) and "
                         "G(x), or expressions by same(f, g)");
    return false;
}

/// A base class of functions: argument-dependent lookup finds its friends.
struct function_operators {
    using is_no_number = void; // expressions would store what has operators
#define CHAINRULE_REFUSED(RESULT, SYMBOL, REFUSE)                                                                      \
    template <class F, class G>                                                                                        \
    requires function_and_operand<F, G>                                                                                \
    friend constexpr RESULT operator SYMBOL(const F&, const G&) {                                                      \
        return REFUSE<std::conditional_t<is_positional_function<F>, F, G>>();                                          \
    }
    CHAINRULE_REFUSED(double, +, refuse_arithmetic)
    CHAINRULE_REFUSED(double, -, refuse_arithmetic)
    CHAINRULE_REFUSED(double, *, refuse_arithmetic)
    CHAINRULE_REFUSED(double, /, refuse_arithmetic)
    CHAINRULE_REFUSED(bool, ==, refuse_comparison)
    CHAINRULE_REFUSED(bool, <, refuse_comparison)
    CHAINRULE_REFUSED(bool, <=, refuse_comparison)
    CHAINRULE_REFUSED(bool, >, refuse_comparison)
    CHAINRULE_REFUSED(bool, >=, refuse_comparison)
#undef CHAINRULE_REFUSED
    template <class F>
    requires is_positional_function<F>
    friend constexpr double operator-(const F&) {
        return refuse_arithmetic<F>();
    }
};

} // namespace chainrule::detail
