// SPDX-License-Identifier: BSL-1.0
//
// Replaces variables by expressions, type by type: each distinct node type is rebuilt once, however often it occurs.
#pragma once

#include <chainrule/expression/stored_numbers.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/entry/evaluate.hpp>
#include <chainrule/symbolic/raise.hpp>

namespace chainrule {

namespace detail {

// The substitutions of one call, as types: Given is substitution<V, G> or binding<V, T>.
template <class V, class List>
struct replacement_of;
template <class V>
struct replacement_of<V, type_list<>> {
    using type = V;
};
template <class V, class Given, class... Rest>
struct replacement_of<V, type_list<Given, Rest...>>
    : std::conditional_t<std::is_same_v<V, typename Given::variable>, operand_type<decltype(Given::value)>,
                         replacement_of<V, type_list<Rest...>>> {};

// The type E after the substitutions.
// (That of the shortcut is made first: expression/operands.hpp.)
template <class E, class Given, int Arity = int{E::arity}>
struct substituted;
template <class E, class Given>
struct substituted<E, Given, 0>
    : std::conditional_t<(int{E::is_variable} != 0), replacement_of<E, Given>, std::type_identity<E>> {};
template <class E, class Given>
struct substituted<E, Given, 1> {
    using below = typename substituted<typename E::shortcut, Given>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Given>::type>;
};
template <class E, class Given>
struct substituted<E, Given, 2> {
    using below = typename substituted<typename E::shortcut, Given>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Given>::type,
                         typename substituted<typename E::second, Given>::type>;
};
template <class E, class Given>
struct substituted<E, Given, 3> {
    using below = typename substituted<typename E::shortcut, Given>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Given>::type,
                         typename substituted<typename E::second, Given>::type,
                         typename substituted<typename E::third, Given>::type>;
};

// The expression that replaces V.
template <class V, class First, class... Rest>
CHAINRULE_PER_NODE auto expression_given(First first, [[maybe_unused]] Rest... rest) {
    if constexpr (std::is_same_v<V, typename First::variable>)
        return as_operand(first.value);
    else
        return expression_given<V>(rest...);
}

// The object of the new type, with the stored numbers of f and of the substituted expressions.
template <class E, class... Given>
CHAINRULE_PER_NODE auto with_substitutions(const E& f, const Given&... given) {
    using type = typename substituted<E, type_list<Given...>>::type;
    if constexpr (int{type::numbers} == 0) {
        return type{};
    } else if constexpr (int{E::arity} == 0) {
        if constexpr (int{E::is_variable} != 0)
            return expression_given<E>(given...);
        else
            return f;
    } else if constexpr (int{E::arity} == 1) {
        return type{{with_substitutions(first_of(f), given...)}};
    } else if constexpr (int{E::arity} == 2) {
        return joined<type>(with_substitutions(first_of(f), given...), with_substitutions(second_of(f), given...));
    } else {
        return joined<type>(with_substitutions(first_of(f), given...), with_substitutions(second_of(f), given...),
                            with_substitutions(third_of(f), given...));
    }
}

// The stored numbers of the new type, in the order in which they are written: the places of those of f, and for each
// variable that is replaced its number among the substitutions. An explicit stack replaces recursion.
struct number_sources {
    struct task {
        void (*visit)(number_sources&, int number);
        int number; // of the first stored number of a node
    };
    list<task> left;
    list<int> sources; // places, or -1 for the first substitution and so on
};
template <class E, class... Given>
CHAINRULE_PER_NODE_ADDRESSED void visit_numbers(number_sources& to, int number) {
    using given = type_list<Given...>;
    if constexpr (int{substituted<E, given>::type::numbers} > 0) {
        if constexpr (int{E::arity} != 0) static_cast<void>(visit_numbers<typename E::shortcut, Given...>);
        if constexpr (int{E::arity} == 0) {
            if constexpr (int{E::is_variable} != 0)
                to.sources.push_back(-1 - position_in<E>(type_list<typename Given::variable...>{}));
            else
                to.sources.push_back(number);
        } else {
            if constexpr (int{E::arity} == 3)
                to.left.push_back({visit_numbers<typename E::third, Given...>,
                                   number + int{E::first::numbers} + int{E::second::numbers}});
            if constexpr (int{E::arity} >= 2)
                to.left.push_back({visit_numbers<typename E::second, Given...>, number + int{E::first::numbers}});
            to.left.push_back({visit_numbers<typename E::first, Given...>, number});
        }
    }
}
template <int Size>
struct source_list {
    int count = 0;
    int sources[static_cast<std::size_t>(Size) + 1]{};
};
template <class E, class... Given>
constexpr auto find_sources() {
    number_sources found;
    found.left.push_back({visit_numbers<E, Given...>, 0});
    while (!found.left.empty()) {
        const number_sources::task t = found.left.pop_back();
        t.visit(found, t.number);
    }
    source_list<int{substituted<E, type_list<Given...>>::type::numbers}> result;
    for (const int source : found.sources) result.sources[result.count++] = source;
    return result;
}
template <class E, class... Given>
inline constexpr auto sources_of = find_sources<E, Given...>();

// The type of all stored numbers of f and of the substituted expressions.
template <class E, class... Given>
struct only_number_of;
template <class E>
struct only_number_of<E> : only_number<E> {};
template <class E, class Given, class... Rest>
struct only_number_of<E, Given, Rest...> : common_stored<typename only_number<operand<decltype(Given::value)>>::type,
                                                         typename only_number_of<E, Rest...>::type> {};

// The object of the new type if these are of one type: its numbers are copied to their places.
template <class E, class... Given>
constexpr auto with_numbers_substituted(const E& f, const Given&... given) {
    using type = typename substituted<E, type_list<Given...>>::type;
    using number = typename only_number_of<E, Given...>::type;
    const auto own = numbers_as_array<number>(f);
    number replaced[core::sum_of({int{operand<decltype(Given::value)>::numbers}..., 1})]{};
    int first[sizeof...(Given) + 1]{}; // of each substitution
    int end = 0, k = 0;
    const auto add = [&](const auto& g) {
        for (const number n : numbers_as_array<number>(g)) replaced[end++] = n;
        first[++k] = end;
    };
    (add(as_operand(given.value)), ...);
    number_array<number, int{type::numbers}> result{};
    std::size_t next = 0;
    constexpr const auto& sources = sources_of<E, Given...>;
    for (int i = 0; i < sources.count; ++i) {
        const int source = sources.sources[i];
        if (source >= 0)
            result[next++] = own[static_cast<std::size_t>(source)];
        else
            for (int n = first[-1 - source]; n < first[-source]; ++n) result[next++] = replaced[n];
    }
    return with_numbers<type>(result);
}

// f after the substitutions.
template <class E, class... Given>
constexpr auto substituted_in(const E& f, const Given&... given) {
    using type = typename substituted<E, type_list<Given...>>::type;
    if constexpr (int{type::numbers} == 0)
        return type{};
    else if constexpr (!castable_number<typename only_number_of<E, Given...>::type>)
        return with_substitutions(f, given...);
    else if constexpr (numbers_repeat<type, 0>())
        return refused_as_repetition<(sizeof(type) == 0)>();
    else
        return with_numbers_substituted(f, given...);
}

template <std::size_t... I, class V, class... Given>
CHAINRULE_PER_NODE auto array_with_substitutions(std::index_sequence<I...>, V v, const Given&... given) {
    return array_of<std::size_t{V::columns}>(substituted_in(element_at<I>(v), given...)...);
}

template <class... Given>
consteval bool right_substitutions() {
    constexpr bool named = all_true({(detail::is_binding<Given> || detail::is_substitution<Given>)..., true});
    static_assert(named, "substitute: an argument does not name its variable; write substitute(f, x = g, y = h)");
    if constexpr (named) {
        constexpr bool once = each_once(type_list<typename Given::variable...>{});
        static_assert(once, "substitute: a variable is replaced twice; give each variable one expression");
        return once;
    }
    return false;
}

} // namespace detail

/// f, an expression, a vector or a matrix, with variables replaced by expressions, constants or numbers,
/// simultaneously: substitute(f, x = y, y = x) exchanges the two. Variables that do not occur in f are ignored. The
/// result has the same operations on the new operands, and their values. Example:
/// `same(substitute(x * y, x = y + 1_c), (y + 1_c) * y)`
template <class F, class... Given>
CHAINRULE_PER_NODE auto substitute(const F& f, const Given&... given) {
    if constexpr (detail::right_substitutions<Given...>()) {
        constexpr bool scalar = expressions::array_kind_of<F> == expressions::array_kind::scalar;
        constexpr bool right = !scalar || expression<F>;
        static_assert(right, "substitute: the first argument is not an expression; write substitute(f, x = g, y = h)");
        if constexpr (!right)
            return f;
        else if constexpr (scalar)
            return detail::substituted_in(f, given...);
        else
            return detail::array_with_substitutions(expressions::indices_of<F>{}, f, given...);
    }
}

/// The variables of an expression, of vectors or matrices, in order of first appearance: a list like that of wrt().
/// Example: `gradient(f, free_variables(f))`
template <expression... E>
[[nodiscard]] constexpr auto free_variables(const E&...) {
    return typename graph::variables_of<E...>::type{};
}
template <class... E>
[[nodiscard]] constexpr auto free_variables(const expression_vector<E...>&) {
    return typename graph::variables_of<E...>::type{};
}
template <std::size_t Columns, class... E>
[[nodiscard]] constexpr auto free_variables(const expression_matrix<Columns, E...>&) {
    return typename graph::variables_of<E...>::type{};
}

} // namespace chainrule
