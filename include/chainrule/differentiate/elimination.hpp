// SPDX-License-Identifier: BSL-1.0
//
// Jacobians by elimination of nodes. The nodes between variables and outputs are eliminated one by one, and each path
// through a node becomes an edge that bypasses it. Forward and reverse sweeps are two orders of elimination; here the
// node with the fewest paths through it is next (Markowitz' rule; Griewank and Walther, Evaluating Derivatives, 2008,
// chapter 9). Counting the cost of an order needs no derivatives.
#pragma once

#include <chainrule/graph/cost.hpp>
#include <chainrule/differentiate/partials.hpp>

namespace chainrule {

/// The modes in which a Jacobian can be derived.
enum class jacobian_mode {
    reverse,       ///< one reverse sweep per row
    forward,       ///< one forward sweep per column
    cross_country, ///< neither: the nodes between variables and outputs are eliminated one by one, cheapest first
    elimination [[deprecated("write jacobian_mode::cross_country")]] = cross_country,
};

/// The old name of jacobian_mode.
using derivation [[deprecated("write jacobian_mode")]] = jacobian_mode;

namespace differentiate {

class elimination {
public:
    constexpr elimination(canonical_graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `jacobian` the derivatives of the outputs with respect to the variables, row by row.
    constexpr void run(const list<term>& outputs, list<term>& jacobian) {
        make_edges(outputs);
        for (int v = cheapest(); v >= 0; v = cheapest()) eliminate(v);
        for (int i = 0; i < outputs.count; ++i)
            for (int j = 0; j < variables_.count; ++j) {
                const int from = variables_[j] < vertex_of_.count ? vertex_of_[variables_[j]] : -1;
                const int e = from < 0 ? -1 : find_edge(from, first_sink_ + i);
                jacobian.push_back(e < 0 ? graph::zero_term : value(e));
            }
    }

    /// The number of multiplications and additions that eliminating all nodes takes in the order of a mode, without
    /// products by 1 and -1. The graph does not change, and the object cannot be used afterwards. -1 if there are more
    /// than `largest` nodes, variables and outputs: counting would take compilers too long.
    static constexpr int largest = 256;
    [[nodiscard]] constexpr int count(const list<term>& outputs, jacobian_mode by) {
        counting_ = true;
        make_edges(outputs);
        if (vertices_.count > largest) return -1;
        if (by == jacobian_mode::reverse)
            for (int v = first_sink_ - 1; v >= 0; --v) eliminate_inner(v);
        else if (by == jacobian_mode::forward)
            for (int v = 0; v < first_sink_; ++v) eliminate_inner(v);
        else
            for (int v = cheapest(); v >= 0; v = cheapest()) eliminate(v);
        return operations_;
    }

private:
    // The value of an edge is the sum of contributions, one for each path that has become this edge.
    struct edge {
        int from = -1;
        int to = -1;
        int contributions = -1;
        int next_in = -1;
        int next_out = -1;
        bool unit = false; // 1 or -1
    };
    struct contribution {
        term value;
        int next = -1;
    };
    struct vertex {
        int in = -1;
        int out = -1;
        int in_count = 0;
        int out_count = 0;
        bool inner = false;
    };

    canonical_graph& graph_;
    const list<int>& variables_;
    list<int> vertex_of_; // by node, -1 if it depends on no variable or no output depends on it
    list<vertex> vertices_;
    list<edge> edges_;
    list<contribution> contributions_;
    list<int> edge_between_; // by vertices; the edge plus one
    int first_sink_ = 0;
    int operations_ = 0;
    bool counting_ = false;

    constexpr void make_edges(const list<term>& outputs) {
        canonical_graph& g = graph_;
        const list<bool> needed = find_needed(g, outputs);
        int size = needed.count;
        for (int i = 0; i < variables_.count; ++i)
            if (variables_[i] >= size) size = variables_[i] + 1;
        list<bool> depends;
        find_dependent(g, variables_, depends, size);

        vertex_of_ = list<int>(size, -1);
        list<int> node_of;
        for (int id = 0; id < size; ++id) {
            if (!depends[id] || !(g[id].what == kind::variable || needed[id])) continue;
            vertex_of_[id] = vertices_.count;
            node_of.push_back(id);
            vertices_.push_back({-1, -1, 0, 0, g[id].what != kind::variable});
        }
        first_sink_ = vertices_.count;
        for (int i = 0; i < outputs.count; ++i) vertices_.push_back({});
        if (counting_ && vertices_.count > largest) return;
        edge_between_ = list<int>(vertices_.count * vertices_.count);
        for (int v = 0; v < first_sink_; ++v) {
            const int operands = vertices_[v].inner ? g.operand_count(node_of[v]) : 0;
            for (int k = 0; k < operands; ++k) {
                const int from = vertex_of_[g.operand_of(node_of[v], k)];
                if (from < 0) continue;
                if (counting_)
                    contribute(from, v, {0, canonical_graph::one}, is_linear(g[node_of[v]].what));
                else
                    contribute(from, v, partial(g, node_of[v], k));
            }
        }
        for (int i = 0; i < outputs.count; ++i) {
            const term t = outputs[i];
            if (!t.is_zero() && vertex_of_[t.id] >= 0)
                contribute(vertex_of_[t.id], first_sink_ + i, {t.c, canonical_graph::one}, t.c < 2);
        }
    }

    [[nodiscard]] static constexpr bool is_linear(kind what) {
        return what == kind::add || what == kind::subtract || what == kind::negate;
    }

    [[nodiscard]] constexpr int find_edge(int from, int to) const {
        return edge_between_.items[from * vertices_.count + to] - 1;
    }

    constexpr void contribute(int from, int to, term t, bool unit = false) {
        if (t.is_zero()) return;
        int e = find_edge(from, to);
        if (e < 0) {
            e = edges_.count;
            vertex& source = vertices_.items[from];
            vertex& target = vertices_.items[to];
            edges_.push_back({from, to, -1, target.in, source.out, unit});
            edge_between_.items[from * vertices_.count + to] = e + 1;
            target.in = source.out = e;
            ++target.in_count;
            ++source.out_count;
        } else {
            operations_ += operation_cost::addition;
            edges_.items[e].unit = false;
        }
        if (counting_) return;
        contributions_.push_back({t, edges_.items[e].contributions});
        edges_.items[e].contributions = contributions_.count - 1;
    }

    constexpr term value(int e) {
        int i = edges_.items[e].contributions;
        if (contributions_.items[i].next < 0) return contributions_.items[i].value;
        const int bottom = graph_.mark();
        for (; i >= 0; i = contributions_.items[i].next) graph_.push_term(contributions_.items[i].value);
        const term sum = graph_.sum_since(bottom);
        contributions_.push_back({sum, -1});
        edges_.items[e].contributions = contributions_.count - 1;
        return sum;
    }

    // The inner vertex with the fewest paths through it; among equals the last, as in a reverse sweep.
    [[nodiscard]] constexpr int cheapest() const {
        int best = -1, fewest = 0;
        for (int v = first_sink_ - 1; v >= 0; --v) {
            const vertex& x = vertices_.items[v];
            if (!x.inner) continue;
            const int paths = x.in_count * x.out_count;
            if (best < 0 || paths < fewest) {
                best = v;
                fewest = paths;
            }
        }
        return best;
    }

    constexpr void eliminate_inner(int v) {
        if (vertices_.items[v].inner) eliminate(v);
    }

    constexpr void eliminate(int v) {
        for (int out = vertices_.items[v].out; out >= 0; out = edges_.items[out].next_out)
            for (int in = vertices_.items[v].in; in >= 0; in = edges_.items[in].next_in) {
                const bool units[] = {edges_.items[in].unit, edges_.items[out].unit};
                if (!units[0] && !units[1]) operations_ += operation_cost::multiplication;
                contribute(edges_.items[in].from, edges_.items[out].to,
                           counting_ ? term{0, canonical_graph::one} : graph_.multiply(value(in), value(out)),
                           units[0] && units[1]);
            }
        for (int out = vertices_.items[v].out; out >= 0; out = edges_.items[out].next_out) {
            vertex& target = vertices_.items[edges_.items[out].to];
            unlink(target.in, out, &edge::next_in);
            edge_between_.items[v * vertices_.count + edges_.items[out].to] = 0;
            --target.in_count;
        }
        for (int in = vertices_.items[v].in; in >= 0; in = edges_.items[in].next_in) {
            vertex& source = vertices_.items[edges_.items[in].from];
            unlink(source.out, in, &edge::next_out);
            --source.out_count;
        }
        vertices_.items[v].inner = false;
    }

    constexpr void unlink(int& head, int e, int edge::* next) {
        int* link = &head;
        while (*link != e) link = &(edges_.items[*link].*next);
        *link = edges_.items[e].*next;
    }
};

} // namespace differentiate
} // namespace chainrule
