// SPDX-License-Identifier: BSL-1.0
//
// The lines of a trace: operations and their partial derivatives, printed and derived like expressions, with
// placeholders for the operands, whose names may change. tape/trace.hpp fills in the names.
#pragma once

#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/print/text.hpp>

#include <string>
#include <vector>

namespace chainrule::tape {

/// The kinds of lines of a trace.
enum class line_kind {
    input,     // a variable
    operation, // an operation of the computation
    partial,   // the derivative of an operation's result with respect to one of its operands
    adjoint    // the derivative of the output with respect to a number, or a contribution to it
};

/// A line of a trace, as in `v1 = log(v-1)`, with the number that it computes.
template <class T>
struct trace_line {
    std::string name;
    std::string formula;
    T value;
    line_kind kind;

    [[nodiscard]] std::string text() const { return name + " = " + formula; }
};

/// The derivative of the output with respect to one number of the computation, and the name of the line that computes
/// it.
template <class T>
struct named_derivative {
    std::string by;
    std::string name;
    T value;
};

/// A reverse sweep as lines, and the resulting derivatives, in the order in which the sweep reaches the numbers.
template <class T>
struct adjoint_sweep_lines {
    std::vector<trace_line<T>> lines;
    std::vector<named_derivative<T>> derivatives;
};

/// Placeholders in formulas: the operands, and the result.
inline constexpr char first_operand = '\1', second_operand = '\2', third_operand = '\3', result_itself = '\4';
inline constexpr int placeholders = 4;

/// A placeholder as a variable.
template <char Operand>
using placeholder = typename symbol<boost::hana::string<Operand>>::node;

/// The text of a partial derivative, and whether it is an operand or the result: then it needs no separate name.
struct partial_formula {
    std::string text;
    bool is_operand = false;
};

/// The text of an operation, and its partial derivatives with respect to traced operands.
struct operation_formula {
    std::string text;
    partial_formula partials[3];
};

/// The node of an operation on these operands.
template <class Operation, class A>
[[nodiscard]] auto operation_on(const A& a) {
    using node = typename unary<Operation, A>::node;
    if constexpr (int{node::numbers} == 0)
        return node{};
    else
        return node{{a}};
}
template <class Operation, class A, class B>
[[nodiscard]] auto operation_on(const A& a, const B& b) {
    using node = typename binary<Operation, A, B>::node;
    if constexpr (int{node::numbers} == 0)
        return node{};
    else
        return expressions::joined<node>(a, b);
}
template <class Operation, class A, class B, class C>
[[nodiscard]] auto operation_on(const A& a, const B& b, const C& c) {
    return expressions::joined<typename ternary<Operation, A, B, C>::node>(a, b, c);
}

[[nodiscard]] inline std::string string_of(const detail::number_text& text) {
    return std::string(text.characters, static_cast<std::size_t>(text.size));
}
template <expression E>
[[nodiscard]] std::string string_of(const E& f) {
    const auto& text = chainrule::to_string(f);
    return std::string(text.data(), text.size());
}

// The partial derivative of f, an operation on the placeholder and `other`, with respect to the placeholder.
template <class Operation, char Operand, class F, class Other>
[[nodiscard]] partial_formula partial_of(const F& f, [[maybe_unused]] const Other& other) {
    if constexpr (std::same_as<Operation, operations::multiply> && !expressions::variable_node<Other>) {
        return {string_of(other), true};
    } else {
        const auto partial = derivative(f, placeholder<Operand>{});
        using found = std::remove_const_t<decltype(partial)>;
        if constexpr (std::same_as<found, placeholder<first_operand>>)
            return {{first_operand}, true};
        else if constexpr (std::same_as<found, placeholder<second_operand>>)
            return {{second_operand}, true};
        else if constexpr (std::same_as<found, placeholder<third_operand>>)
            return {{third_operand}, true};
        else if constexpr (int{found::numbers} == 0 && std::same_as<found, F>)
            return {{result_itself}, true};
        else
            return {string_of(partial), false};
    }
}

/// The formulas of an operation. Operands are the placeholder of their position, or expressions of plain numbers.
template <class Operation, class A>
[[nodiscard]] operation_formula formula_of(const A& a) {
    const auto f = operation_on<Operation>(a);
    return {string_of(f), {partial_of<Operation, first_operand>(f, a), {}}};
}
template <class Operation, class A, class B>
[[nodiscard]] operation_formula formula_of(const A& a, const B& b) {
    const auto f = operation_on<Operation>(a, b);
    operation_formula formula{string_of(f), {}};
    if constexpr (expressions::variable_node<A>) formula.partials[0] = partial_of<Operation, first_operand>(f, b);
    if constexpr (expressions::variable_node<B>) formula.partials[1] = partial_of<Operation, second_operand>(f, a);
    return formula;
}

template <class Operation, class A, class B, class C>
[[nodiscard]] operation_formula formula_of(const A& a, const B& b, const C& c) {
    const auto f = operation_on<Operation>(a, b, c);
    operation_formula formula{string_of(f), {}};
    if constexpr (expressions::variable_node<A>) formula.partials[0] = partial_of<Operation, first_operand>(f, b);
    if constexpr (expressions::variable_node<B>) formula.partials[1] = partial_of<Operation, second_operand>(f, a);
    if constexpr (expressions::variable_node<C>) formula.partials[2] = partial_of<Operation, third_operand>(f, a);
    return formula;
}

/// A formula with names in place of placeholders. The name of an operand may be a number's digits.
[[nodiscard]] inline std::string written(const std::string& formula, const std::string (&names)[placeholders]) {
    std::string text;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const char c = formula[i];
        if (c < first_operand || c > result_itself) {
            text += c;
            continue;
        }
        const std::string& name = names[c - first_operand];
        // As in printed expressions, a minus does not follow another sign.
        const bool follows_sign = i > 0 && formula[i - 1] != '(' && !(i > 1 && formula[i - 2] == ',');
        text += follows_sign && name[0] == '-' ? '(' + name + ')' : name;
    }
    return text;
}
/// A name or a plain number as the second factor of a product. Fractions contain spaces.
[[nodiscard]] inline std::string as_factor(const std::string& text) {
    return text[0] == '-' || text.find(' ') != std::string::npos ? '(' + text + ')' : text;
}

} // namespace chainrule::tape
