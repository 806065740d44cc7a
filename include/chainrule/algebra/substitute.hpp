// SPDX-License-Identifier: BSL-1.0
//
// Replaces variables by expressions, type by type: each distinct node type is rebuilt once, however often it occurs.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/expression/stored_numbers.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/symbolic/raise.hpp>

#include <utility>

namespace chainrule {

namespace detail {

// The substitutions of one call: Given is substitution<V, G> or binding<V, T>. A base class for each is found without a
// search through the others.
template <std::size_t Place, class V, class G>
struct replacement : std::type_identity<operand<G>> {
    enum : int { place = int{Place} };
    static replacement find(const V*);
};
template <class Places, class... Given>
struct replacements_at;
template <std::size_t... Place, class... Given>
struct replacements_at<std::index_sequence<Place...>, Given...>
    : replacement<Place, typename Given::variable, decltype(Given::value)>... {
    using replacement<Place, typename Given::variable, decltype(Given::value)>::find...;
    static void find(const void*);
};
template <class... Given>
using replacements = replacements_at<std::index_sequence_for<Given...>, Given...>;

/// The replacement of V, which is V itself if none is given.
template <class V, class Replacements>
using replacement_of = core::entry_or<V, Replacements, V>;

// The type E after the substitutions.
// (That of the shortcut is made first: expression/operands.hpp.)
template <class E, class Replacements, int Arity = int{E::arity}>
struct substituted;
template <class E, class Replacements>
struct substituted<E, Replacements, 0>
    : std::conditional_t<(int{E::is_variable} != 0), replacement_of<E, Replacements>, std::type_identity<E>> {};
template <class E, class Replacements>
struct substituted<E, Replacements, 1> {
    using below = typename substituted<typename E::shortcut, Replacements>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Replacements>::type>;
};
template <class E, class Replacements>
struct substituted<E, Replacements, 2> {
    using below = typename substituted<typename E::shortcut, Replacements>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Replacements>::type,
                         typename substituted<typename E::second, Replacements>::type>;
};
template <class E, class Replacements>
struct substituted<E, Replacements, 3> {
    using below = typename substituted<typename E::shortcut, Replacements>::type;
    using type = node_of<typename E::operation, typename substituted<typename E::first, Replacements>::type,
                         typename substituted<typename E::second, Replacements>::type,
                         typename substituted<typename E::third, Replacements>::type>;
};

// The object of the new type, with the stored numbers of f and of the substituted expressions.
template <class E, class... Given>
CHAINRULE_PER_NODE auto with_substitutions(const E& f, const values_of_call<Given...>& given) {
    using type = typename substituted<E, replacements<Given...>>::type;
    if constexpr (int{type::numbers} == 0) {
        return type{};
    } else if constexpr (int{E::arity} == 0) {
        if constexpr (int{E::is_variable} != 0)
            return as_operand(core::value_in_entry<E>(given));
        else
            return f;
    } else if constexpr (int{E::arity} == 1) {
        return type{{with_substitutions(first_of(f), given)}};
    } else if constexpr (int{E::arity} == 2) {
        return joined<type>(with_substitutions(first_of(f), given), with_substitutions(second_of(f), given));
    } else {
        return joined<type>(with_substitutions(first_of(f), given), with_substitutions(second_of(f), given),
                            with_substitutions(third_of(f), given));
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
template <class E, class Replacements>
CHAINRULE_PER_NODE_ADDRESSED void visit_numbers(number_sources& to, int number) {
    if constexpr (int{substituted<E, Replacements>::type::numbers} > 0) {
        if constexpr (int{E::arity} != 0) static_cast<void>(visit_numbers<typename E::shortcut, Replacements>);
        if constexpr (int{E::arity} == 0) {
            if constexpr (int{E::is_variable} != 0)
                to.sources.push_back(-1 - int{replacement_of<E, Replacements>::place});
            else
                to.sources.push_back(number);
        } else {
            if constexpr (int{E::arity} == 3)
                to.left.push_back({visit_numbers<typename E::third, Replacements>,
                                   number + int{E::first::numbers} + int{E::second::numbers}});
            if constexpr (int{E::arity} >= 2)
                to.left.push_back({visit_numbers<typename E::second, Replacements>, number + int{E::first::numbers}});
            to.left.push_back({visit_numbers<typename E::first, Replacements>, number});
        }
    }
}
template <int Size>
struct source_list {
    int count = 0;
    int sources[static_cast<std::size_t>(Size) + 1]{};
};
template <class E, class Replacements>
constexpr auto find_sources() {
    number_sources found;
    found.left.push_back({visit_numbers<E, Replacements>, 0});
    while (!found.left.empty()) {
        const number_sources::task t = found.left.pop_back();
        t.visit(found, t.number);
    }
    source_list<int{substituted<E, Replacements>::type::numbers}> result;
    for (const int source : found.sources) result.sources[result.count++] = source;
    return result;
}
template <class E, class Replacements>
inline constexpr auto sources_of = find_sources<E, Replacements>();

// The type of all stored numbers of f and of the substituted expressions.
template <class E, class... Given>
using only_number_of =
    all_common_stored<typename only_number<E>::type, typename only_number<operand<decltype(Given::value)>>::type...>;

// The object of the new type if these are of one type: its numbers are copied to their places.
template <class E, class... Given>
constexpr auto with_numbers_substituted(const E& f, const Given&... given) {
    using type = typename substituted<E, replacements<Given...>>::type;
    using number = typename only_number_of<E, Given...>::type;
    const auto own = numbers_as_array<number>(f);
    number replaced[core::sum_of({int{operand<decltype(Given::value)>::numbers}..., 1})]{};
    int first[sizeof...(Given) + 1]{}; // of each substitution
    int end = 0, k = 0;
    const auto add = [&](const auto& g) {
        for (const number n : numbers_as_array<number>(g)) replaced[end++] = n;
        first[++k] = end;
    };
    core::for_each_argument([&](const auto& one) { add(as_operand(one.value)); }, given...);
    number_array<number, int{type::numbers}> result{};
    std::size_t next = 0;
    constexpr const auto& sources = sources_of<E, replacements<Given...>>;
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
    using type = typename substituted<E, replacements<Given...>>::type;
    if constexpr (int{type::numbers} == 0)
        return type{};
    else if constexpr (!castable_number<typename only_number_of<E, Given...>::type>)
        return with_substitutions(f, in_values_of_call(given...));
    else if constexpr (numbers_repeat<type, 0>())
        return refused_as_repetition<(sizeof(type) == 0)>();
    else
        return with_numbers_substituted(f, given...);
}

// Whether something has an expression or a number for each variable of a vector or matrix. (0: known at run time.)
template <std::size_t Size, std::size_t Columns, class G>
inline constexpr bool has_one_for_each =
    is_range_of_numbers<G> && (std::size_t{numbers_in<G>::count} == Size || std::size_t{numbers_in<G>::count} == 0);
template <std::size_t Size, std::size_t Columns, expressions::array_of_expressions G>
inline constexpr bool has_one_for_each<Size, Columns, G> =
    std::size_t{G::count} == Size && (G::columns * Columns == 0 || G::columns == Columns);
template <class Given>
inline constexpr bool is_replaced = expressions::is_operand<decltype(Given::value)>();
template <class Elements, class Bound, std::size_t Columns>
inline constexpr bool is_replaced<vector_binding<Elements, Bound, Columns>> =
    has_one_for_each<expressions::long_list<Elements>::size, Columns, typename range_in<decltype(Bound::value)>::type>;

template <class F, class... Single>
CHAINRULE_PER_NODE auto substituted_singly(const F& f, const single_values<Single...>& given) {
    return substitute(f, static_cast<const single_value<Single>&>(given).value...);
}

template <class... Given>
consteval bool right_substitutions() {
    constexpr bool named = all_true({detail::is_named<Given>..., true});
    static_assert(named, "substitute: an argument does not name its variable; write substitute(f, x = g, y = h)");
    if constexpr (named) {
        constexpr bool once = each_once(names_of<Given...>());
        static_assert(once, "substitute: a variable is replaced twice; give each variable one expression");
        constexpr bool single = all_true({(is_vector_binding<Given> || is_replaced<Given>)..., true});
        static_assert(single, "substitute: a variable is replaced by what is neither an expression nor a number; write "
                              "substitute(f, x = g, y = h)");
        constexpr bool all = all_true({is_replaced<Given>..., true});
        static_assert(all || !single,
                      "substitute: a vector of variables is not replaced by one expression or number for each; "
                      "give it a vector of its size, as in substitute(f, q = 2_c * q), and a matrix of its "
                      "shape for a matrix");
        return once && all;
    }
    return false;
}

} // namespace detail

/// f, an expression, a vector or a matrix, with variables replaced by expressions, constants or numbers,
/// simultaneously: substitute(f, x = y, y = x) exchanges the two, substitute(f, q = p) replaces each variable of a
/// vector by an element. Variables that do not occur in f are ignored. The result has the same operations on the new
/// operands, and their values. Example:
/// `same(substitute(x * y, x = y + 1_c), (y + 1_c) * y)`
template <class F, class... Given>
CHAINRULE_PER_NODE auto substitute(const F& f, const Given&... given) {
    if constexpr (detail::some_hold_arguments<Given...>) {
        return detail::substituted_singly(f, detail::in_single_values(given...));
    } else if constexpr (detail::right_substitutions<Given...>()) {
        constexpr bool scalar = expressions::array_kind_of<F> == expressions::array_kind::scalar;
        constexpr bool right = !scalar || expression<F>;
        static_assert(right, "substitute: the first argument is not an expression; write substitute(f, x = g, y = h)");
        if constexpr (!right)
            return f;
        else if constexpr (detail::some_vectors<Given...>)
            return detail::substituted_singly(f, detail::in_single_values(given...));
        else if constexpr (scalar)
            return detail::substituted_in(f, given...);
        else
            return expressions::array_like<F>(
                [&](auto i) { return detail::substituted_in(expressions::element_at<i.value>(f), given...); });
    }
}

/// The variables of expressions, vectors and matrices, in order of first appearance: a list like that of wrt().
/// Example: `gradient(f, free_variables(f))`
template <class... F>
requires((expression<F> || expressions::array_of_expressions<F>) && ...)
[[nodiscard]] constexpr auto free_variables(const F&...) {
    using all = typename core::joined_lists<typename decltype(detail::outputs_of(std::declval<F>()))::list...>::type;
    return decltype(graph::variables_in(all{})){};
}

} // namespace chainrule
