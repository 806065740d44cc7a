// SPDX-License-Identifier: BSL-1.0
//
// variable<"x">, and the exact constants 2_c and 0.5_c.
#pragma once

#include <chainrule/expression/number_literal.hpp>
#include <chainrule/expression/node.hpp>

#include <cstddef>
#include <utility>

namespace chainrule {

namespace expressions {

/// A string literal as a template argument. It does not occur in the types of expressions, because nvcc's host pass
/// fails on arguments of class type.
template <std::size_t Size>
struct string_literal {
    char characters[Size];
    // NOLINTNEXTLINE: the conversion of a literal is intended.
    consteval string_literal(const char (&text)[Size]) {
        for (std::size_t i = 0; i < Size; ++i) characters[i] = text[i];
    }
};

template <string_literal Name, std::size_t... I>
consteval auto name_of(std::index_sequence<I...>) {
    return typename symbol<boost::hana::string<Name.characters[I]...>>::node{};
}

template <class Key>
struct variable_named_by {
    using type = Key;
};
template <char... Characters>
struct variable_named_by<boost::hana::string<Characters...>> {
    using type = typename symbol<boost::hana::string<Characters...>>::node;
};
/// The variable that an argument names: itself, or for a string of Boost.Hana the variable of that name.
template <class Key>
using named_by = typename variable_named_by<Key>::type;

template <coefficient (*Value)()>
consteval auto constant_of() {
    constexpr coefficient c = Value();
    if constexpr (c.exact())
        return typename constant<c.numerator, c.denominator>::node{};
    else
        return typename real_constant<std::bit_cast<hash_value>(c.high), std::bit_cast<hash_value>(c.low)>::node{};
}

template <char... Characters>
constexpr coefficient value_of_characters() {
    constexpr char text[] = {Characters...};
    constexpr number_literal literal = read_literal(text, sizeof...(Characters));
    constexpr coefficient value = value_of(literal);
    constexpr bool in_range = value.exact() || (value.high != 0 && value.high <= std::numeric_limits<double>::max());
    static_assert(in_range,
                  "_c: the constant is outside the range of double; write it as a product, as in 1e200_c * 1e200_c");
    return value;
}

} // namespace expressions

/// A variable. Two variables with the same name are the same variable.
/// Example: `constexpr auto x = chainrule::variable<"x">;`
template <expressions::string_literal Name>
inline constexpr auto variable = expressions::name_of<Name>(std::make_index_sequence<sizeof(Name.characters) - 1>{});

namespace literals {

/// An exact constant, known to the optimiser: `2_c`, `0.5_c` (one half), `1e-3_c`. A constant that is not a fraction of
/// 64-bit integers has 106 bits.
template <char... Characters>
consteval auto operator""_c() {
    return expressions::constant_of<expressions::value_of_characters<Characters...>>();
}

} // namespace literals
} // namespace chainrule
