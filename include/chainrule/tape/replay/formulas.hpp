// SPDX-License-Identifier: BSL-1.0
//
// Properties of the derivative formula of a row that do not depend on its numbers: which arguments it reads, with which
// of them it varies, and whether a zero of it is structural. The formulas of the table are evaluated at numbers that
// only note these, so that a new row needs nothing here. tape/replay/rows.hpp has the rows that are not in the table.
#pragma once

#include <chainrule/functions/comparisons.hpp>
#include <chainrule/functions/derivatives.hpp>

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

namespace chainrule::tape::replays {

/// What a formula depends on. Bit k stands for argument k, and the bit after the arguments for the result.
struct dependence {
    unsigned reads = 0;                // whose value the formula needs
    unsigned varies = 0;               // the formula is a function of these, and more than a step function
    bool has_structural_zeros = false; // its zeros may be those of an untaken arm, of a step or of a constant

    [[nodiscard]] constexpr dependence with(const dependence& other) const {
        return {reads | other.reads, varies | other.varies, has_structural_zeros || other.has_structural_zeros};
    }
    [[nodiscard]] constexpr dependence without_zeros() const { return {reads, varies, false}; }
};

/// A number that stands for what a formula notes.
struct noting_number {
    using has_functions_of_table = void;
    dependence what;

    /// A comparison, or several.
    struct outcome {
        dependence what;

        friend constexpr outcome operator&&(const outcome& a, const outcome& b) { return {a.what.with(b.what)}; }
        friend constexpr outcome operator||(const outcome& a, const outcome& b) { return {a.what.with(b.what)}; }
        friend constexpr outcome operator!(const outcome& a) { return a; }
        friend constexpr noting_number select(const outcome& c, const noting_number& a, const noting_number& b) {
            const dependence arms = a.what.with(b.what);
            return dependence{arms.reads | c.what.reads, arms.varies, arms.has_structural_zeros};
        }
    };

    constexpr noting_number() = default;
    constexpr noting_number(const dependence& of) : what(of) {}
    template <class N>
    requires std::is_arithmetic_v<N>
    constexpr noting_number(N constant) : what{0, 0, constant == N(0)} {}

    friend constexpr noting_number operator-(const noting_number& a) { return a; }
    friend constexpr noting_number operator+(const noting_number& a, const noting_number& b) {
        return a.what.with(b.what).without_zeros();
    }
    friend constexpr noting_number operator-(const noting_number& a, const noting_number& b) { return a + b; }
    friend constexpr noting_number operator*(const noting_number& a, const noting_number& b) {
        return a.what.with(b.what);
    }
    friend constexpr noting_number operator/(const noting_number& a, const noting_number& b) {
        return a.what.with(b.what.without_zeros());
    }
    friend constexpr noting_number operator*(irrational, const noting_number& a) { return a; }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr outcome operator SYMBOL(const noting_number& a, const noting_number& b) {                         \
        return {a.what.with(b.what)};                                                                                  \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

// The steps are the rows that the table calls so. Where a row's derivative with respect to an argument is the formula
// 0, the value does not vary with the argument.
#define CHAINRULE_STEPS_CMATH false
#define CHAINRULE_STEPS_BUILTIN false
#define CHAINRULE_STEPS_BOOST false
#define CHAINRULE_STEPS_FORMULA(...) false
#define CHAINRULE_STEPS_CHOICE(...) false
#define CHAINRULE_STEPS_STEPPED(...) true
#define CHAINRULE_UNARY(NAME, VALUE, BY_X, ...)                                                                        \
    friend constexpr noting_number NAME(const noting_number& x) {                                                      \
        return called(CHAINRULE_STEPS_##VALUE, {x}, {#BY_X});                                                          \
    }
#define CHAINRULE_BINARY(NAME, VALUE, BY_X, BY_Y, ...)                                                                 \
    friend constexpr noting_number NAME(const noting_number& x, const noting_number& y) {                              \
        return called(CHAINRULE_STEPS_##VALUE, {x, y}, {#BY_X, #BY_Y});                                                \
    }
#define CHAINRULE_TERNARY(NAME, VALUE, BY_X, BY_Y, BY_Z, ...)                                                          \
    friend constexpr noting_number NAME(const noting_number& x, const noting_number& y, const noting_number& z) {      \
        return called(CHAINRULE_STEPS_##VALUE, {x, y, z}, {#BY_X, #BY_Y, #BY_Z});                                      \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef CHAINRULE_STEPS_CMATH
#undef CHAINRULE_STEPS_BUILTIN
#undef CHAINRULE_STEPS_BOOST
#undef CHAINRULE_STEPS_FORMULA
#undef CHAINRULE_STEPS_CHOICE
#undef CHAINRULE_STEPS_STEPPED

private:
    // Lists, not arrays: clang 16 would use a function template before it has made it.
    static constexpr noting_number called(bool steps, std::initializer_list<noting_number> x,
                                          std::initializer_list<std::string_view> derivatives) {
        dependence all{0, 0, steps};
        const std::string_view* derivative = derivatives.begin();
        for (const noting_number& argument : x) {
            all.reads |= argument.what.reads;
            if (*derivative++ != "0") all.varies |= argument.what.varies;
        }
        return all;
    }
};

/// The bit of the result among those of the arguments.
template <class Row>
inline constexpr unsigned bit_of_result = 1u << unsigned{Row::arity};

/// Whether a row is that of a custom function, whose formulas are for numbers alone.
template <class Row>
concept custom = requires { typename Row::function; };

/// What the derivative of a row by argument K notes. The result varies with all arguments.
template <int K, class Row>
inline constexpr dependence derivative_notes = [] {
    constexpr unsigned arguments = bit_of_result<Row> - 1;
    if constexpr (custom<Row>) {
        return dependence{arguments | bit_of_result<Row>, arguments, false};
    } else {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return functions::derivative<K, Row>(noting_number(dependence{1u << I, 1u << I, false})...,
                                                 noting_number(dependence{bit_of_result<Row>, arguments, false}))
                .what;
        }(std::make_index_sequence<std::size_t{Row::arity}>{});
    }
}();

/// Whether a zero among the derivatives by argument K is structural. Others come from arithmetic. The derivatives of
/// `weighted` are its arguments, the weights among them.
template <int K, class Row>
inline constexpr bool has_structural_zeros =
    std::is_same_v<Row, functions::weighted> || derivative_notes<K, Row>.has_structural_zeros;

} // namespace chainrule::tape::replays
