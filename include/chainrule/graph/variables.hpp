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
    // clang counts about 200 steps for an operation, of 1,048,576. (Those of traced code are copied.)
    static constexpr int most_operations = core::all_true({(int{E::arity} == 0)..., true}) ? 1 << 30 : 4800;

    template <int Capacity>
    struct text_list {
        int count = 0;
        bool too_large = false;
        const char* texts[static_cast<std::size_t>(Capacity)]{};
    };
    template <int Capacity>
    static constexpr text_list<Capacity> list_names() {
        text_list<Capacity> found;
        canonical_graph g;
        lowering l(g);
        l.most_operations = most_operations;
        [[maybe_unused]] const int roots[] = {0, l.template run<E>()...};
        found.too_large = l.too_large;
        found.count = l.too_large ? 0 : l.variables.count;
        for (int i = 0; i < found.count && i < Capacity; ++i) found.texts[i] = l.variables.items[i].name.text;
        return found;
    }
    template <int Capacity>
    struct names_within {
        static constexpr auto names = list_names<Capacity>();
    };
    // Counting the names first would lower the expressions twice.
    using usual = names_within<1024>;
    static constexpr const auto& names =
        std::conditional_t<(usual::names.count <= 1024), usual, names_within<usual::names.count>>::names;
    static_assert(!names.too_large, "variables: the expression has more than 4800 operations, too many to find its "
                                    "variables; name them, as in gradient(f, x, y), or trace a function");
    static constexpr std::size_t length(const char* text) {
        std::size_t n = 0;
        while (text[n] != '\0') ++n;
        return n;
    }
    template <std::size_t K, std::size_t... I>
    static auto spell(std::index_sequence<I...>) -> typename symbol<boost::hana::string<names.texts[K][I]...>>::node;
    template <std::size_t... K>
    static auto collect(std::index_sequence<K...>)
        -> type_list<decltype(spell<K>(std::make_index_sequence<length(names.texts[K])>{}))...>;

public:
    using type = decltype(collect(std::make_index_sequence<static_cast<std::size_t>(names.count)>{}));
};

/// The variables of the expressions of a list.
template <class... E>
typename variables_of<E...>::type variables_in(core::type_list<E...>);

/// The first type of a list that is not in another.
template <class List, class Others>
using first_outside = type_at<0, decltype(without(List{}, Others{}))>;

/// Failed conditions on a variable: static_assert prints the variable's name and the condition on every compiler, as in
/// `the_variable<string_literal<2>{"k"}>::has_a_value`.
template <expressions::string_literal Name>
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
using the_variable_of = the_variable<expressions::string_literal<sizeof(V::text)>(V::text)>;

} // namespace graph
} // namespace chainrule
