// SPDX-License-Identifier: BSL-1.0
//
// Writes a graph as binary operations of an expression, one row of a table per operation.
// symbolic/repeated_derivation.hpp carries rows from one constant evaluation to the next, symbolic/raise.hpp turns them
// into types.
#pragma once

#include <chainrule/graph/canonical_graph.hpp>

namespace chainrule::detail {

/// One node of an expression tree in a table: a leaf, or an operation on earlier rows.
struct expression_row {
    kind what{};
    unsigned char function = 0;
    int a = -1;
    int b = -1;
    int c = -1;
};

/// Writes terms of a graph as rows of binary operations. A template, so that only programs with symbolic derivatives
/// pay for it.
template <class Graph>
class raising {
public:
    list<expression_row> rows;
    list<coefficient> constants;
    list<int> written; // by node: its row, or -1

    constexpr explicit raising(Graph& g) : g_(g) {}

    /// The row of a term.
    constexpr int run(term t) {
        if (t.is_zero()) return constant(coefficient(0));
        if (t.id == canonical_graph::one) return constant(g_.value(t.c));
        if (t.c == 0) return node_row(t.id);
        // A coefficient is multiplied into those of a sum: 2 x - 6 y rather than 2 (x - 3 y).
        if (g_[t.id].what == kind::sum) return sum_row(t.id, t.c);
        if (g_[t.id].what == kind::product) return product_row(t.id, t.c);
        return scaled(t.c, node_row(t.id));
    }

    /// Writes rows of a term, operands first, until there are about `most` rows more; returns whether all are written.
    /// Then the row of the term is the last. Compilers limit the nesting of calls in a constant evaluation to 512, and
    /// run() calls itself for operands: so the nodes that are rows of their own come in their order.
    constexpr bool write(term t, int most) {
        if (t.id >= longest_unordered) {
            const list<bool> own = nodes_with_rows(t);
            const int enough = rows.count + most;
            for (int id = 0; id <= t.id; ++id) {
                if (!own.items[id]) continue;
                if (rows.count > enough) return false;
                (void)node_row(id);
            }
        }
        rows.truncate(run(t) + 1);
        return true;
    }

private:
    // Calls nest less deeply in a graph of fewer nodes.
    static constexpr int longest_unordered = 200;

    Graph& g_;

    // The nodes that become a row, not only parts of a row of another: a coefficient is multiplied into a sum or
    // product.
    [[nodiscard]] constexpr list<bool> nodes_with_rows(term t) const {
        list<bool> own(t.id + 1);
        own.items[t.id] = t.c == 0;
        list<bool> used(t.id + 1);
        used.items[t.id] = true;
        for (int id = t.id; id > canonical_graph::one; --id) {
            if (!used.items[id]) continue;
            const node& n = g_.nodes.items[id];
            if (n.what == kind::sum) {
                for (int i = n.a; i < n.a + n.b; ++i) {
                    const term s = g_.pool.items[i];
                    used.items[s.id] = true;
                    const kind what = g_.nodes.items[s.id].what;
                    if (s.c < 2 || (what != kind::sum && what != kind::product)) own.items[s.id] = true;
                }
            } else if (n.what >= kind::product) {
                for (int i = n.a; i < n.a + (n.what == kind::product ? n.b : 3); ++i)
                    used.items[g_.pool.items[i].id] = own.items[g_.pool.items[i].id] = true;
            } else if (n.what >= kind::negate) {
                used.items[n.a] = own.items[n.a] = true;
                if (n.b >= 0) used.items[n.b] = own.items[n.b] = true;
            }
        }
        own.items[canonical_graph::one] = false;
        return own;
    }

    constexpr int push(kind what, int a, int b = -1, unsigned char function = 0, int c = -1) {
        rows.push_back({what, function, a, b, c});
        return rows.size() - 1;
    }
    constexpr int constant(const coefficient& c) {
        constants.push_back(c);
        return push(kind::constant, constants.size() - 1);
    }
    constexpr int scaled(int c, int row) {
        if (c == 0) return row;
        if (c == 1) return push(kind::negate, row);
        return push(kind::multiply, constant(g_.value(c)), row);
    }

    constexpr int node_row(int id) {
        if (written.count <= id) written.resize(g_.size(), -1);
        if (written[id] >= 0) return written[id];
        const node n = g_[id];
        int r = -1;
        switch (n.what) {
        case kind::constant: r = constant(g_.is_zero(id) ? coefficient(0) : g_.value(n.a)); break;
        case kind::variable:
        case kind::stored_number: r = push(n.what, n.a); break;
        case kind::sum: r = sum_row(id, 0); break;
        case kind::product: r = product_row(id, 0); break;
        case kind::select: {
            const int c = node_row(g_.pool[n.a].id), a = node_row(g_.pool[n.a + 1].id);
            r = push(kind::select, c, a, 0, node_row(g_.pool[n.a + 2].id));
            break;
        }
        case kind::call_of_three: {
            const int a = node_row(g_.pool[n.a].id), b = node_row(g_.pool[n.a + 1].id);
            r = push(kind::call_of_three, a, b, n.function, node_row(g_.pool[n.a + 2].id));
            break;
        }
        default: {
            const int a = node_row(n.a);
            const int b = n.b < 0 ? -1 : node_row(n.b);
            r = push(n.what, a, b, n.function);
            break;
        }
        }
        written[id] = r;
        return r;
    }

    constexpr int sum_row(int id, int scale) {
        const node n = g_[id];
        int acc = -1;
        // A positive term first, if there is one.
        int first = 0;
        for (int i = n.b - 1; i >= 0; --i)
            if (((g_.pool[n.a + i].c ^ scale) & 1) == 0) first = i;
        for (int k = 0; k < n.b; ++k) {
            const int i = k == 0 ? first : (k <= first ? k - 1 : k);
            const term t = g_.pool[n.a + i];
            const int c = g_.times(t.c, scale);
            if (acc < 0) {
                acc = run({c, t.id});
                continue;
            }
            const int next = run({c & ~1, t.id});
            acc = push((c & 1) != 0 ? kind::subtract : kind::add, acc, next);
        }
        return acc;
    }

    // c * numerator / denominator, with the constant's own numerator and denominator on either side.
    constexpr int product_row(int id, int c) {
        const node n = g_[id];
        int above = -1, below = -1;
        coefficient value = g_.value(c);
        const bool minus = value.is(-1);
        if (minus) value = coefficient(1);
        if (value.exact() && value.denominator != 1 && has_denominator(n)) {
            below = constant(coefficient(value.denominator));
            value = coefficient(value.numerator);
        }
        if (!value.is(1)) above = constant(value);
        for (int i = 0; i < n.b; ++i) {
            const term f = g_.pool[n.a + i];
            if (g_.guards(f)) continue;
            int base = node_row(f.id), e = f.c < 0 ? -f.c : f.c;
            if (e > 4) { // as a power
                base = push(kind::call, base, constant(coefficient(e)), functions::pow::position);
                e = 1;
            }
            for (; e > 0; --e) {
                int& side = f.c < 0 ? below : above;
                side = side < 0 ? base : push(kind::multiply, side, base);
            }
        }
        if (above < 0 && below >= 0) above = constant(coefficient(1));
        if (below >= 0) above = push(kind::divide, above, below);
        // If a share is zero, the product is zero.
        for (int i = 0; i < n.b; ++i) {
            const term f = g_.pool[n.a + i];
            if (g_.is_condition(f.id) || !g_.guards(f)) continue;
            const int share = node_row(f.id);
            for (int e = f.c; e > 0; --e)
                above = above < 0 ? share : push(kind::call, share, above, functions::weighted::position);
        }
        if (above < 0) above = constant(coefficient(1));
        if (minus) above = push(kind::negate, above);
        // If a condition does not hold, the product is zero.
        for (int i = 0; i < n.b; ++i) {
            const int guard = g_.pool[n.a + i].id;
            if (!g_.is_condition(guard)) continue;
            const int zero = constant(coefficient(0));
            if (g_.is_negation(guard))
                above = push(kind::select, node_row(g_[guard].a), zero, 0, above);
            else
                above = push(kind::select, node_row(guard), above, 0, zero);
        }
        return above;
    }
    [[nodiscard]] constexpr bool has_denominator(const node& n) const {
        for (int i = 0; i < n.b; ++i)
            if (g_.pool[n.a + i].c < 0) return true;
        return false;
    }
};

/// An expression as rows; the last row is the whole expression. No rows if there is no expression. While some
/// are missing, also the rows of nodes.
struct written_rows {
    list<expression_row> rows;
    list<coefficient> constants;
    list<int> written;
    list<custom_function_entry> custom_functions; // the custom functions, in the order of their numbers
};
/// Writes about `most` more rows of a term; returns whether all are written.
template <class Graph>
[[nodiscard]] constexpr bool continue_rows(Graph& g, term t, int most, written_rows& to) {
    raising<Graph> r(g);
    r.rows.swap(to.rows);
    r.constants.swap(to.constants);
    r.written.swap(to.written);
    const bool complete = r.write(t, most);
    to.rows.swap(r.rows);
    to.constants.swap(r.constants);
    if (!complete) to.written.swap(r.written);
    to.custom_functions = g.custom_functions;
    return complete;
}
template <class Graph>
[[nodiscard]] constexpr written_rows write_rows(Graph& g, term t) {
    written_rows r;
    (void)continue_rows(g, t, 1 << 30, r);
    return r;
}

} // namespace chainrule::detail
