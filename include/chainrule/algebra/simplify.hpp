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
        case kind::slot: id = g.slot(s.a); break;
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

// The order of factors and terms is that of their nodes: stored numbers come first, then variables by name.
template <class Graph, class Variables>
constexpr void number_leaves(Graph& g, const Variables& variables, int numbers) {
    for (int i = 0; i < numbers; ++i) (void)g.slot(i);
    list<bool> done(variables.count, false);
    for (int k = 0; k < variables.count; ++k) {
        int first = -1;
        for (int i = 0; i < variables.count; ++i)
            if (!done[i] && (first < 0 || name_before(variables[i].name.text, variables[first].name.text))) first = i;
        done[first] = true;
        (void)g.variable(first);
    }
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

/// E, rewritten until nothing changes: factoring out a factor may leave a sum of sums, or another order of terms.
/// (The graph is a parameter, so that only programs that simplify pay for what is called here.)
template <class E, rewriting_goal Goal, class Graph = canonical_graph>
struct rewritten {
private:
    static constexpr auto write() {
        Graph g;
        lowering l(g);
        int root = l.template run<E>();
        auto rows = write_rows(g, {0, root});
        for (int round = 0; round < 5; ++round) {
            Graph h;
            number_leaves(h, l.variables, int{E::numbers});
            root = node_of_rows(h, rows);
            const auto next = rewriting<Graph>(h, Goal).run(root);
            const bool settled = next.rows.empty() || same_rows(rows, next);
            rows = next;
            if (settled) break;
        }
        return rows;
    }

public:
    static constexpr auto state = saved(write());
};

template <class E, rewriting_goal Goal>
constexpr auto rewritten_element(const E& f) {
    using rows = row_table<rewritten<E, Goal>>;
    constexpr bool complete = rows::last >= 0;
    static_assert(complete,
                  "expand: a sum becomes longer than 1000 terms; expand a smaller part, or leave it as a product");
    if constexpr (complete) return expression_of_rows<rows>(f);
}
template <rewriting_goal Goal, std::size_t... I, class V>
constexpr auto rewritten_array(std::index_sequence<I...>, const V& v) {
    return array_of<std::size_t{V::columns}>(rewritten_element<decltype(element_at<I>(v)), Goal>(element_at<I>(v))...);
}
template <rewriting_goal Goal, class F>
constexpr auto rewritten_expression(const F& f) {
    if constexpr (array_kind_of<F> == array_kind::scalar)
        return rewritten_element<F, Goal>(f);
    else
        return rewritten_array<Goal>(indices_of<F>{}, f);
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
