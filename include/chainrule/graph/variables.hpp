// SPDX-License-Identifier: BSL-1.0
//
// The variables of expressions as types, and their names in messages. The lowering (graph/lower.hpp) identifies
// variables by name; this header turns the names back into types.
#pragma once

#include <chainrule/expression/variable.hpp>
#include <chainrule/graph/lower.hpp>
#include <chainrule/expression/variable_names.hpp>

#include <array>

namespace chainrule {

namespace graph {

/// The variables of expressions E..., in order of first appearance, as a type_list.
template <class... E>
struct variables_of {
private:
    static constexpr int count() {
        canonical_graph g;
        lowering l(g);
        [[maybe_unused]] const int roots[] = {0, l.template run<E>()...};
        return l.variables.size();
    }
    static constexpr auto list_names() {
        std::array<const char*, static_cast<std::size_t>(count() + 1)> texts{};
        canonical_graph g;
        lowering l(g);
        [[maybe_unused]] const int roots[] = {0, l.template run<E>()...};
        for (int i = 0; i < l.variables.size(); ++i) texts[static_cast<std::size_t>(i)] = l.variables[i].name.text;
        return texts;
    }
    static constexpr auto names = list_names();
    static constexpr std::size_t length(const char* text) {
        std::size_t n = 0;
        while (text[n] != '\0') ++n;
        return n;
    }
    template <std::size_t K, std::size_t... I>
    static auto spell(std::index_sequence<I...>) -> typename symbol<boost::hana::string<names[K][I]...>>::node;
    template <std::size_t... K>
    static auto collect(std::index_sequence<K...>)
        -> type_list<decltype(spell<K>(std::make_index_sequence<length(names[K])>{}))...>;

public:
    using type = decltype(collect(std::make_index_sequence<names.size() - 1>{}));
};

/// The first type of a list that is not in another.
template <class List, class Others>
using first_outside = type_at<0, decltype(without(List{}, Others{}))>;

} // namespace graph

/// Failed conditions on a variable: static_assert prints the variable's name and the condition on every compiler, as in
/// `the_variable<literal<2>{"k"}>::has_a_value`.
template <expressions::literal Name>
struct the_variable {
    enum : bool {
        has_a_value = false,
        occurs_in_f = false,
        has_only_one_value = false,
        is_an_argument_or_a_parameter = false,
        is_not_both_in_wrt_and_in_given = false,
        has_a_number_for_its_value = false,
    };
};
template <class V>
using the_variable_of = the_variable<expressions::literal<sizeof(V::text)>(V::text)>;

} // namespace chainrule
