// SPDX-License-Identifier: BSL-1.0
//
// Turns a derived graph back into nested types: every row of symbolic/rows.hpp becomes a type.
#pragma once

#include <chainrule/expression/variable.hpp>
#include <chainrule/kernel/numbers.hpp>
#include <chainrule/graph/variables.hpp>
#include <chainrule/symbolic/repeated_derivation.hpp>

namespace chainrule::detail {

/// The function that row I calls.
template <class Rows, unsigned Position>
struct raised_function : functions::row_at<Position> {};
template <class Rows, unsigned Position>
requires(Position >= first_custom_function)
struct raised_function<Rows, Position> {
    using type = custom_function_type<Rows::custom_function(Position)>;
};

/// The type of row I, and the object of that type with its stored numbers.
template <class Rows, class Variables, class Number, int I, kind What = Rows::at(I).what>
struct raised;

template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::constant> {
    static constexpr coefficient value() { return Rows::constant(Rows::at(I).a); }
    using type = decltype(constant_of<value>());
};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::variable> : type_at<Rows::at(I).a, Variables> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::stored_number> {
    using type = typename number<Number>::node;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        return {numbers[static_cast<std::size_t>(Rows::at(I).a)]};
    }
};

template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_unary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using type = node_of<Operation, typename a::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        return {{a::make(numbers)}};
    }
};
template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_binary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using b = raised<Rows, Variables, Number, Rows::at(I).b>;
    using type = node_of<Operation, typename a::type, typename b::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        if constexpr (int{a::type::numbers} == 0)
            return {{b::make(numbers)}};
        else if constexpr (int{b::type::numbers} == 0)
            return {{a::make(numbers)}};
        else
            return {{a::make(numbers), b::make(numbers)}};
    }
};

template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_ternary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using b = raised<Rows, Variables, Number, Rows::at(I).b>;
    using c = raised<Rows, Variables, Number, Rows::at(I).c>;
    using type = node_of<Operation, typename a::type, typename b::type, typename c::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        type result{};
        if constexpr (int{a::type::numbers} > 0) result.a = a::make(numbers);
        if constexpr (int{b::type::numbers} > 0) result.b = b::make(numbers);
        if constexpr (int{c::type::numbers} > 0) result.c = c::make(numbers);
        return result;
    }
};
template <class Rows, class Variables, class Number, int I, relation What>
struct raised_condition;
#define CHAINRULE_RAISED(NAME, BASE)                                                                                   \
    template <class Rows, class Variables, class Number, int I>                                                        \
    struct raised_condition<Rows, Variables, Number, I, relation::NAME>                                                \
        : BASE<Rows, Variables, Number, I, relations::NAME> {};
#define CHAINRULE_COMPARISON(SYMBOL, NAME) CHAINRULE_RAISED(NAME, raised_binary)
CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
CHAINRULE_RAISED(conjunction, raised_binary)
CHAINRULE_RAISED(disjunction, raised_binary)
CHAINRULE_RAISED(negation, raised_unary)
#undef CHAINRULE_COMPARISON
#undef CHAINRULE_RAISED

template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::condition>
    : raised_condition<Rows, Variables, Number, I, static_cast<relation>(Rows::at(I).function)> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::select>
    : raised_ternary<Rows, Variables, Number, I, operations::select> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::call_of_three>
    : raised_ternary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::negate> : raised_unary<Rows, Variables, Number, I, operations::negate> {
};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::add> : raised_binary<Rows, Variables, Number, I, operations::add> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::subtract>
    : raised_binary<Rows, Variables, Number, I, operations::subtract> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::multiply>
    : raised_binary<Rows, Variables, Number, I, operations::multiply> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::divide>
    : raised_binary<Rows, Variables, Number, I, operations::divide> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::call>
    : std::conditional_t<
          (Rows::at(I).b < 0),
          raised_unary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type>,
          raised_binary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type>> {};

/// The last row, after raising all rows before it in order: otherwise templates would nest as deep as the expression.
template <class Rows, class Variables, class Number, std::size_t... I>
consteval auto raise_all(std::index_sequence<I...>) {
    [[maybe_unused]] constexpr int depths[] = {
        int{raised<Rows, Variables, Number, static_cast<int>(I)>::type::depth}...};
    return std::type_identity<raised<Rows, Variables, Number, Rows::last>>{};
}
template <class Rows, class Variables, class Number>
using raised_last = typename decltype(raise_all<Rows, Variables, Number>(
    std::make_index_sequence<static_cast<std::size_t>(Rows::last + 1)>{}))::type;

} // namespace chainrule::detail
