// SPDX-License-Identifier: BSL-1.0
//
// Writes a graph as binary operations of an expression, one row of a table per operation. symbolic/raise.hpp turns the
// rows into types.
#pragma once

#include <chainrule/codegen/compile.hpp>

namespace chainrule::detail {

/// One node of an expression tree in a table: a leaf, or an operation on earlier rows.
struct row {
    kind what{};
    unsigned char function = 0;
    int a = -1;
    int b = -1;
    int c = -1;
};

/// Writes terms of a graph as rows of binary operations.
class raising {
public:
    list<row> rows;
    list<coefficient> constants;

    constexpr explicit raising(canonical_graph& g) : g_(g) {}

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

    /// Writes the rows of a node at every 64th level below a root first. Compilers limit how deep the calls of a
    /// constant evaluation nest, to 512, and the row of a node asks for those of its operands. Operands precede nodes.
    constexpr void prepare(int root) {
        if (root < 1000) return; // fewer nodes do not nest that deep
        list<bool> needed(root + 1);
        list<int> height(root + 1);
        needed.items[root] = true;
        for (int id = root; id >= 0; --id)
            if (needed.items[id]) for_each_operand(g_[id], [&](int operand) { needed.items[operand] = true; });
        for (int id = 0; id <= root; ++id) {
            if (!needed.items[id]) continue;
            int below = 0;
            for_each_operand(g_[id], [&](int operand) {
                if (height.items[operand] > below) below = height.items[operand];
            });
            height.items[id] = below + 1;
            if (height.items[id] % 64 == 0) (void)node_row(id);
        }
    }

private:
    template <class Visitor>
    constexpr void for_each_operand(const node& n, Visitor visit) const {
        switch (n.what) {
        case kind::constant:
        case kind::variable:
        case kind::slot: break;
        case kind::sum:
        case kind::product:
            for (int i = 0; i < n.b; ++i) visit(g_.pool[n.a + i].id);
            break;
        case kind::select:
        case kind::call_of_three:
            for (int i = 0; i < 3; ++i) visit(g_.pool[n.a + i].id);
            break;
        default:
            visit(n.a);
            if (n.b >= 0) visit(n.b);
            break;
        }
    }

    canonical_graph& g_;
    list<int> done_;

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
        if (done_.size() <= id) done_.resize(g_.size(), -1);
        if (done_[id] >= 0) return done_[id];
        const node n = g_[id];
        int r = -1;
        switch (n.what) {
        case kind::constant: r = constant(g_.is_zero(id) ? coefficient(0) : g_.value(n.a)); break;
        case kind::variable:
        case kind::slot: r = push(n.what, n.a); break;
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
        done_[id] = r;
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
            const int base = node_row(f.id);
            for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) {
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

/// Rows of exact number, with the expression in the last one.
template <int Rows, int Constants, int OwnFunctions>
struct row_table {
    std::array<row, static_cast<std::size_t>(Rows)> rows{};
    std::array<coefficient, static_cast<std::size_t>(Constants + 1)> constants{};
    std::array<hash_value, static_cast<std::size_t>(OwnFunctions + 1)> custom_functions{};
};

/// An expression as rows, the last of which is the whole; no rows if there is no expression.
struct written_rows {
    list<row> rows;
    list<coefficient> constants;
    list<custom_function_entry> custom_functions; // the custom functions, in the order of their numbers
};
[[nodiscard]] constexpr written_rows write_rows(canonical_graph& g, term t) {
    raising r(g);
    if (!t.is_zero()) r.prepare(t.id);
    (void)r.run(t);
    return {r.rows, r.constants, g.custom_functions};
}

/// The output of a recipe, in arrays. derived_graph is a recipe.
template <class Recipe>
struct raised_rows {
private:
    struct sizes {
        int rows;
        int constants;
        int custom_functions;
    };
    static constexpr sizes measure() {
        const written_rows r = Recipe::write();
        return {r.rows.size(), r.constants.size(), r.custom_functions.size()};
    }
    static constexpr auto freeze() {
        constexpr sizes size = measure();
        row_table<size.rows, size.constants, size.custom_functions> t;
        const written_rows r = Recipe::write();
        for (int i = 0; i < size.rows; ++i) t.rows[static_cast<std::size_t>(i)] = r.rows[i];
        for (int i = 0; i < size.constants; ++i) t.constants[static_cast<std::size_t>(i)] = r.constants[i];
        for (int i = 0; i < size.custom_functions; ++i)
            t.custom_functions[static_cast<std::size_t>(i)] = r.custom_functions[i].hash;
        return t;
    }

public:
    static constexpr auto table = freeze();
    static constexpr int last = static_cast<int>(table.rows.size()) - 1;
    static constexpr row at(int i) { return table.rows[static_cast<std::size_t>(i)]; }
    static constexpr hash_value custom_function(unsigned number) {
        return table.custom_functions[number - first_custom_function];
    }
    static constexpr coefficient constant(int i) { return table.constants[static_cast<std::size_t>(i)]; }
};

} // namespace chainrule::detail
