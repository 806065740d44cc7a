// SPDX-License-Identifier: BSL-1.0
//
// The derivative of an expression as rows (symbolic/rows.hpp), in as many constant evaluations as it needs: lowering,
// a sweep per variable, and the rows. As for programs (codegen/compile.hpp), compilers limit the steps of each.
#pragma once

#include <chainrule/codegen/saved.hpp>
#include <chainrule/core/unnamed_state.hpp>
#include <chainrule/graph/variables.hpp>
#include <chainrule/symbolic/rows.hpp>

namespace chainrule {

template <>
struct graph::words_of<detail::expression_row> : words<detail::expression_row, 4> {
    template <int... I>
    static constexpr void put(const detail::expression_row* from, int* to, std::integer_sequence<int, I...>) {
        ((to[4 * I] = static_cast<int>(from[I].what) | static_cast<int>(from[I].function) << 8,
          to[4 * I + 1] = from[I].a, to[4 * I + 2] = from[I].b, to[4 * I + 3] = from[I].c),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, detail::expression_row* to, std::integer_sequence<int, I...>) {
        ((to[I] = {static_cast<kind>(from[4 * I] & 255), static_cast<unsigned char>(from[4 * I] >> 8), from[4 * I + 1],
                   from[4 * I + 2], from[4 * I + 3]}),
         ...);
    }
};

namespace detail {

/// The members of rows in the order in which they are saved.
template <class Rows, class Visitor>
constexpr void each_list(Rows& r, Visitor& visit) {
    visit(r.rows);
    visit(r.constants);
    visit(r.written);
    visit(r.custom_functions);
}

/// Saved rows, as an expression that symbolic/raise.hpp turns into types.
template <class Evaluation>
struct row_table {
private:
    static constexpr const auto& saved() { return Evaluation::state().rows; }
    // Behind the counts of the rows, of the constants, and of `written`, which is empty.
    static constexpr int row_words = graph::words_of<expression_row>::count;
    static constexpr int constant_words = 2 * graph::words_of<coefficient>::count;
    static constexpr int row_count = saved().words[0], first_constant = 2 + row_words * row_count;
    static constexpr int first_function = first_constant + constant_words * saved().words[first_constant - 1] + 2;
    static constexpr integer long_word(int at) {
        return static_cast<integer>(static_cast<unsigned>(saved().words[at])) |
               static_cast<integer>(saved().words[at + 1]) << 32;
    }

public:
    static constexpr int last = row_count - 1;
    static constexpr expression_row at(int i) {
        expression_row r{};
        graph::words_of<expression_row>::get(saved().words + 1 + row_words * i, &r, std::integer_sequence<int, 0>{});
        return r;
    }
    static constexpr hash_value custom_function(unsigned number) {
        return static_cast<hash_value>(
            long_word(first_function + 2 * static_cast<int>(number - first_custom_function)));
    }
    static constexpr coefficient constant(int i) {
        const int first = first_constant + constant_words * i;
        const integer words[] = {long_word(first), long_word(first + 2), long_word(first + 4)};
        return graph::words_of<coefficient>::get(words);
    }
};

/// The number of nodes and terms of a graph up to which its rows are written in the evaluation that derives it, the
/// number of rows in one evaluation of a larger one, and by how much a graph of that many nodes grows in one.
#if defined(__clang__)
inline constexpr int most_with_rows = 2000, rows_in_one_evaluation = 1500;
[[nodiscard]] constexpr int node_budget_of_next_evaluation(int nodes) {
    return nodes < 4000 ? 5500 - nodes : nodes < 15000 ? 1500 : 500;
}
#else
inline constexpr int most_with_rows = 14000, rows_in_one_evaluation = 8000;
[[nodiscard]] constexpr int node_budget_of_next_evaluation(int nodes) { return nodes < 4000 ? 10000 : 4000; }
#endif

/// The number of rows that become types. A first derivative has up to five rows for an operation.
inline constexpr int most_rows = 8 * differentiate::most_in_one_evaluation;

/// What an evaluation leaves to the next one: a graph to be differentiated further, or a graph and some of its rows, or
/// all of its rows.
template <int Order, int Words = codegen::default_words>
struct derivation_state {
    codegen::saved_state<Words> graph;
    codegen::saved_state<Words> rows;
    bool written = false;                          // all rows
    bool too_large = false;                        // more operations than compilers manage
    int derived = 0;                               // the number of variables by which the expression is differentiated
    int by[static_cast<std::size_t>(Order) + 1]{}; // the nodes of the variables, or -1
};

/// Differentiates an expression in turn by variables, and writes the rows of the result. The types of its members are
/// parameters, so that only programs with symbolic derivatives pay for what it calls.
template <int Order, class Work = codegen::compilation, class Rows = written_rows>
class repeated_derivation {
public:
    using state_type = derivation_state<Order>;

    constexpr explicit repeated_derivation(state_type& state) : state_(state) {}

    /// The first evaluation.
    template <class E>
    constexpr void begin(const variable_name* by) {
        auto& p = work_.derived;
        p = problem();
        p.g.keep_powers_whole();
        lowering l(p.g);
        l.most_operations = most_operations(request::jacobians).at_once;
        p.outputs.push_back({0, l.template run<E>()});
        state_.too_large = l.too_large;
        if (state_.too_large) return;
        for (int k = 0; k < Order; ++k) {
            const int number = l.names.find(by[k]);
            state_.by[k] = number < 0 ? -1 : l.variables.items[number].node;
        }
        // The formulas of custom functions are not saved.
        const bool whole = p.g.custom_functions.count != 0;
        if (Order == 0 || derive(whole ? 1 << 30 : differentiate::effort_of_first_piece(p.g.size(), l.variables.count)))
            if (size() <= most_with_rows) return write(1 << 30);
        save_graph();
    }
    /// Another one, from the last one and the last graph.
    constexpr void resume(const state_type& from, const codegen::saved_state<codegen::default_words>& graph) {
        state_.derived = from.derived;
        for (int k = 0; k < Order; ++k) state_.by[k] = from.by[k];
        codegen::read<codegen::derived_parts>(graph, codegen::parts_read(0, 1), work_);
        work_.derived.g.keep_powers_whole();
        if (state_.derived < Order) {
            (void)derive(node_budget_of_next_evaluation(work_.derived.g.size()));
            return save_graph();
        }
        if (from.rows.size > 0) {
            codegen::state_reader<codegen::default_words> reader{from.rows, ~0u, 0, true};
            each_list(rows_, reader);
        }
        write(rows_in_one_evaluation);
    }

private:
    state_type& state_;
    Work work_;
    Rows rows_;

    [[nodiscard]] constexpr int size() const { return work_.derived.g.nodes.count + work_.derived.g.pool.count; }

    // Differentiates until the graph has grown by that much; returns whether nothing is left.
    constexpr bool derive(int node_budget) {
        auto& p = work_.derived;
        const int most = size() + node_budget;
        while (state_.derived < Order) {
            list<term> gradient;
            if (p.sweep.next >= 0) {
                const list<int> wrt = p.sweep.variables;
                adjoint_sweep(p.g, wrt).resume(gradient, node_budget, p.sweep);
            } else {
                list<int> wrt;
                if (state_.by[state_.derived] >= 0) wrt.push_back(state_.by[state_.derived]);
                adjoint_sweep(p.g, wrt).start(p.outputs.items[0], gradient, most - size(), p.sweep);
            }
            if (p.sweep.next >= 0) return false;
            p.sweep = {};
            p.outputs.items[0] = gradient.empty() ? graph::zero_term : gradient.items[0];
            ++state_.derived;
            if (size() >= most && state_.derived < Order) return false;
        }
        return true;
    }
    constexpr void write(int most) {
        state_.written = continue_rows(work_.derived.g, work_.derived.outputs.items[0], most, rows_);
        codegen::state_writer<codegen::default_words> writer{state_.rows};
        each_list(rows_, writer);
        state_.too_large = !state_.rows.complete() || rows_.rows.count > most_rows;
    }
    constexpr void save_graph() {
        state_.graph.template save<codegen::derived_parts>(work_, 0, 0, 1);
        state_.too_large = !state_.graph.complete();
    }
};

template <class E, class... V>
struct first_derivation : core::unnamed_state<first_derivation<E, V...>> {
    static constexpr auto make() {
        derivation_state<sizeof...(V)> begun;
        const variable_name by[] = {{V::hash, V::text}..., {}};
        repeated_derivation<sizeof...(V)>(begun).template begin<E>(by);
        return begun;
    }
    using with_graph = first_derivation;
};
template <class Previous>
struct next_derivation : core::unnamed_state<next_derivation<Previous>> {
private:
    template <int Order>
    static constexpr auto resume(const derivation_state<Order>& from) {
        derivation_state<Order> further;
        repeated_derivation<Order>(further).resume(from, Previous::with_graph::state().graph);
        return further;
    }

public:
    static constexpr auto make() { return resume(Previous::state()); }
    using with_graph =
        std::conditional_t<(next_derivation::state().graph.size > 0), next_derivation, typename Previous::with_graph>;
};

/// The evaluation that writes the last row.
template <class Evaluation, bool Last = Evaluation::state().written || Evaluation::state().too_large>
struct last_derivation : std::type_identity<Evaluation> {};
template <class Evaluation>
struct last_derivation<Evaluation, false> : last_derivation<next_derivation<Evaluation>> {};

/// The derivative of E with respect to V..., in this order, as rows.
template <class E, class... V>
struct derivation_of {
    using last = typename last_derivation<first_derivation<E, V...>>::type;
    static constexpr bool too_large = last::state().too_large;
    using rows = row_table<last>;
};
template <class E, class... V>
using derived_rows = typename derivation_of<E, V...>::rows;

} // namespace detail
} // namespace chainrule
