// SPDX-License-Identifier: BSL-1.0
//
// simplify(f) and expand(f): expressions built from the rewritten graph.
#pragma once

#include <chainrule/algebra/rewriting.hpp>
#include <chainrule/symbolic/derivative.hpp>

namespace chainrule {

namespace detail {

/// The node that rows describe, as a value.
template <class Graph, class Rows>
[[nodiscard]] constexpr int node_of_rows(Graph& g, const Rows& r) {
    list<int> ids;
    g.custom_functions = r.custom_functions;
    for (int i = 0; i < r.rows.size(); ++i) {
        const auto s = r.rows[i];
        const auto at = [&](int k) { return k < 0 ? -1 : ids[k]; };
        int id = -1;
        switch (s.what) {
        case kind::constant: id = g.constant(r.constants[s.a]); break;
        case kind::variable: id = g.variable(s.a); break;
        case kind::stored_number: id = g.stored_number(s.a); break;
        case kind::negate: id = g.negate(at(s.a)); break;
        case kind::condition: id = g.condition(static_cast<relation>(s.function), at(s.a), at(s.b)); break;
        case kind::select: id = g.select(at(s.a), at(s.b), at(s.c)); break;
        case kind::call:
        case kind::call_of_three: id = apply_operation(g, s.function, at(s.a), at(s.b), at(s.c)); break;
        default: id = g.binary(s.what, at(s.a), at(s.b)); break;
        }
        ids.push_back(id);
    }
    return ids.back();
}

// Whether a name sorts before another: by characters, but numbers in it by value.
[[nodiscard]] constexpr bool name_before(const char* a, const char* b) {
    const auto digits = [](const char* text) {
        int n = 0;
        while ('0' <= text[n] && text[n] <= '9') ++n;
        return n;
    };
    for (;; ++a, ++b) {
        const int m = digits(a), n = digits(b);
        if (m > 0 && n > 0 && m != n) return m < n;
        if (*a != *b || *a == '\0') return static_cast<unsigned char>(*a) < static_cast<unsigned char>(*b);
    }
}

// The numbers of variables, sorted by name.
template <class Variables>
[[nodiscard]] constexpr list<int> variables_by_name(const Variables& variables) {
    list<int> order(variables.count), sorted(variables.count);
    for (int i = 0; i < order.count; ++i) order.items[i] = i;
    for (int width = 1; width < order.count; width *= 2) {
        for (int low = 0; low < order.count; low += 2 * width) {
            const int middle = low + width < order.count ? low + width : order.count;
            const int high = low + 2 * width < order.count ? low + 2 * width : order.count;
            int i = low, k = middle;
            for (int to = low; to < high; ++to) {
                const bool second = k < high && (i == middle || name_before(variables[order[k]].name.text,
                                                                            variables[order[i]].name.text));
                sorted.items[to] = order.items[second ? k++ : i++];
            }
        }
        order.swap(sorted);
    }
    return order;
}
// The order of factors and terms is that of their nodes: stored numbers come first, then variables by name.
template <class Graph>
constexpr void number_leaves(Graph& g, const list<int>& variables, int numbers) {
    for (int i = 0; i < numbers; ++i) (void)g.stored_number(i);
    for (const int v : variables) (void)g.variable(v);
}

template <class Rows>
[[nodiscard]] constexpr bool same_rows(const Rows& r, const Rows& s) {
    if (r.rows.count != s.rows.count || r.constants.count != s.constants.count) return false;
    for (int i = 0; i < r.rows.count; ++i) {
        const auto &a = r.rows[i], &b = s.rows[i];
        if (a.what != b.what || a.function != b.function || a.a != b.a || a.b != b.b || a.c != b.c) return false;
    }
    for (int i = 0; i < r.constants.count; ++i)
        if (!(r.constants[i] == s.constants[i])) return false;
    return true;
}

/// The state between rounds of rewriting.
struct rewriting_state {
    codegen::saved_state<codegen::default_words> rows;
    codegen::saved_state<codegen::default_words> variables; // by name
    int rounds = 0;
    bool settled = false;
    bool too_large = false;
};

/// The number of rows up to which all rounds are one constant evaluation, and the number up to which each is one.
#if defined(__clang__)
inline constexpr int rows_for_all_rounds = 150, rows_for_one_round = 1500;
#else
inline constexpr int rows_for_all_rounds = 500, rows_for_one_round = 1500;
#endif

/// Rewrites rows until nothing changes: factoring out a factor may leave a sum of sums, or another order of terms.
/// (The types are parameters, so that only programs that simplify pay for what is called here.)
template <rewriting_goal Goal, int Numbers, class Graph = canonical_graph, class Rows = written_rows>
class rounds_of_rewriting {
public:
    Rows rows;
    list<int> variables;
    rewriting_state state;

    constexpr void run() {
        while (!state.settled && !state.too_large) {
            round();
            if (rows.rows.count > rows_for_all_rounds) break;
        }
        save();
    }
    constexpr void save() {
        state.too_large = rows.rows.count > rows_for_one_round;
        codegen::state_writer<codegen::default_words> to_rows{state.rows}, to_variables{state.variables};
        each_list(rows, to_rows);
        to_variables(variables);
    }

private:
    constexpr void round() {
        Graph h;
        number_leaves(h, variables, Numbers);
        const int root = node_of_rows(h, rows);
        const auto next = rewriting<Graph>(h, Goal).run(root);
        state.settled = next.rows.empty() || same_rows(rows, next) || ++state.rounds == 5;
        rows = next;
    }
};

/// The first evaluation for E, and the one that follows another.
template <class E, rewriting_goal Goal, class Graph = canonical_graph>
struct first_rewriting : core::unnamed_state<first_rewriting<E, Goal, Graph>> {
    static constexpr auto make() {
        Graph g;
        lowering l(g);
        l.most_operations = rows_for_one_round;
        const int root = l.template run<E>();
        rounds_of_rewriting<Goal, int{E::numbers}> rounds;
        rounds.state.too_large = l.too_large;
        if (l.too_large) return rounds.state;
        rounds.rows = write_rows(g, {0, root});
        rounds.variables = variables_by_name(l.variables);
        if (rounds.rows.rows.count > rows_for_all_rounds)
            rounds.save();
        else
            rounds.run();
        return rounds.state;
    }
};
template <class Previous, rewriting_goal Goal, int Numbers>
struct next_rewriting : core::unnamed_state<next_rewriting<Previous, Goal, Numbers>> {
    static constexpr auto make() {
        rounds_of_rewriting<Goal, Numbers> rounds;
        rounds.state.rounds = Previous::state().rounds;
        codegen::state_reader<codegen::default_words> rows{Previous::state().rows, ~0u, 0, true};
        codegen::state_reader<codegen::default_words> variables{Previous::state().variables, ~0u, 0, true};
        each_list(rounds.rows, rows);
        variables(rounds.variables);
        rounds.run();
        return rounds.state;
    }
};
template <class Evaluation, rewriting_goal Goal, int Numbers,
          bool Last = Evaluation::state().settled || Evaluation::state().too_large>
struct last_rewriting : std::type_identity<Evaluation> {};
template <class Evaluation, rewriting_goal Goal, int Numbers>
struct last_rewriting<Evaluation, Goal, Numbers, false>
    : last_rewriting<next_rewriting<Evaluation, Goal, Numbers>, Goal, Numbers> {};

/// Whether an expression has few enough operations to be simplified in passing.
template <class E>
inline constexpr bool is_cheap_to_simplify = [] {
    constexpr const auto& first = first_rewriting<E, rewriting_goal::simplify>::state();
    return !first.too_large && first.rows.words[0] <= 700;
}();

// Outside of functions: what a device may call refers to no state, in clang not even in its constants.
template <class Evaluation>
inline constexpr bool fits_in_expressions = !Evaluation::state().too_large;

template <class E, rewriting_goal Goal>
constexpr auto rewritten_element(const E& f) {
    using last = typename last_rewriting<first_rewriting<E, Goal>, Goal, int{E::numbers}>::type;
    constexpr bool small = fits_in_expressions<last>;
    static_assert(small, "simplify: the expression, or the simplified or expanded one, has more than 1500 operations; "
                         "simplify its parts");
    if constexpr (small) {
        using rows = row_table<last>;
        constexpr bool complete = rows::last >= 0;
        static_assert(complete,
                      "expand: a sum becomes longer than 1000 terms; expand a smaller part, or leave it as a product");
        if constexpr (complete) return expression_of_rows<rows>(f);
    } else {
        return f;
    }
}
template <rewriting_goal Goal, std::size_t... I, class V>
constexpr auto rewritten_array(std::index_sequence<I...>, const V& v) {
    return array_of<std::size_t{V::columns}>(rewritten_element<decltype(element_at<I>(v)), Goal>(element_at<I>(v))...);
}
template <rewriting_goal Goal, class F>
constexpr auto rewritten_expression(const F& f) {
    if constexpr (array_kind_of<F> == array_kind::scalar) {
        constexpr bool is_expression = expression<F>;
        static_assert(is_expression,
                      "simplify, expand: the argument is not an expression; pass one, or a vector or matrix "
                      "of expressions, such as F.expression() of a function");
        if constexpr (is_expression)
            return rewritten_element<F, Goal>(f);
        else
            return f;
    } else {
        return rewritten_array<Goal>(indices_of<F>{}, f);
    }
}

} // namespace detail

/// f simplified by the identities that derivatives use: like terms collected, equal factors cancelled, common factors
/// factored out of sums, constants folded. The identities hold wherever f is defined, up to rounding: the value of the
/// result may differ from that of f in the last digits, and it may have a value where f has none, as x / x at 0. For an
/// expression without stored numbers, simplifying again changes nothing. A vector or matrix is simplified element by
/// element. Example: `to_string(simplify(x * y + y * x)) == "2 * x * y"`
template <class F>
[[nodiscard]] constexpr auto simplify(const F& f) {
    return detail::rewritten_expression<detail::rewriting_goal::simplify>(f);
}

/// f with products and integer powers of sums multiplied out: a sum of products in descending degree. The remarks on
/// values of simplify() apply here too.
/// Example: `to_string(expand(pow(x + y, 2_c))) == "x * x + 2 * x * y + y * y"`
template <class F>
[[nodiscard]] constexpr auto expand(const F& f) {
    return detail::rewritten_expression<detail::rewriting_goal::expand>(f);
}

} // namespace chainrule
