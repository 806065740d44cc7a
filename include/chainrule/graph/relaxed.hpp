// SPDX-License-Identifier: BSL-1.0
//
// Relaxed values: what relaxed(u) marks is rewritten into sums and products of terms, as derivatives are
// (graph/canonical_graph/products.hpp, graph/canonical_graph/sums.hpp). So quotients share reciprocals, like terms and
// factors meet, and values and derivatives share their parts. What is also needed as written is computed as written.
#pragma once

#include <chainrule/graph/lower.hpp>

namespace chainrule::graph {

/// Copies the values that roots need into an empty graph, and rewrites those below a mark.
class relaxation {
public:
    constexpr relaxation(const canonical_graph& from, canonical_graph& to)
        : from_(from), to_(to), at_(from.size(), state{}) {}

    constexpr void run(list<term>& roots) {
        find_uses(roots);
        to_.begin_relaxed_values(from_.is_conditional());
        for (int id = 1; id < from_.size(); ++id) {
            state& s = at_.items[id];
            if (s.written)
                s.place = copied(id);
            else if (s.relaxed && !is_absorbed(id))
                s.value = rewritten(id);
        }
        to_.end_relaxed_values();
        for (int i = 0; i < roots.count; ++i) {
            // A root that is relaxed itself needs no node of its own for its coefficient.
            const int id = roots.items[i].id;
            roots.items[i] = is_mark(id) ? relaxed(from_[id].a) : term{0, written(id)};
            if (roots.items[i].is_zero()) roots.items[i] = {0, to_.node_of(roots.items[i])};
        }
    }

private:
    struct state {
        int uses = 0;
        int place = -1;         // of a value as written: its node in the new graph
        term value = zero_term; // of a relaxed value
        bool written = false, relaxed = false;
        bool in_sum = false; // whether a relaxed sum uses it
    };
    const canonical_graph& from_;
    canonical_graph& to_;
    list<state> at_;

    [[nodiscard]] static constexpr bool is_sum(const node& n) {
        return n.what == kind::add || n.what == kind::subtract || n.what == kind::negate;
    }
    [[nodiscard]] constexpr bool is_mark(int id) const { return from_.is_call(id, functions::relaxed::position); }
    // Whether a sum is part of one other sum.
    [[nodiscard]] constexpr bool is_absorbed(int id) const {
        const state& s = at_.items[id];
        return is_sum(from_[id]) && s.uses == 1 && s.in_sum && !s.written;
    }

    constexpr void find_uses(const list<term>& roots) {
        for (int i = 0; i < roots.count; ++i) {
            at_.items[roots.items[i].id].written = true;
            ++at_.items[roots.items[i].id].uses;
        }
        for (int id = from_.size() - 1; id > 0; --id) {
            const state s = at_.items[id];
            if (!s.written && !s.relaxed) continue;
            const node& n = from_[id];
            const bool relaxes = !s.written || is_mark(id);
            const int count = n.what < kind::negate ? 0 : n.what >= kind::select ? 3 : n.b < 0 ? 1 : 2;
            for (int k = 0; k < count; ++k) {
                state& operand = at_.items[operand_of(n, k)];
                ++operand.uses;
                (relaxes ? operand.relaxed : operand.written) = true;
                operand.in_sum = operand.in_sum || (relaxes && is_sum(n));
            }
        }
        at_.items[canonical_graph::one].place = canonical_graph::one;
        at_.items[canonical_graph::one].written = true;
    }
    [[nodiscard]] constexpr int operand_of(const node& n, int k) const {
        return n.what >= kind::select ? from_.pool.items[n.a + k].id : k == 0 ? n.a : n.b;
    }

    // Operands in the new graph -----------------------------------------------------------------------------------

    [[nodiscard]] constexpr int written(int id) { return at_.items[id].place; }
    [[nodiscard]] constexpr term relaxed(int id) {
        return at_.items[id].written ? to_.canonical(at_.items[id].place) : at_.items[id].value;
    }
    [[nodiscard]] constexpr int operand(int id, bool relaxes) {
        return relaxes && !at_.items[id].written ? to_.node_of(at_.items[id].value) : at_.items[id].place;
    }

    // The node with its operands, in the new graph; -1 is no operand.
    constexpr int with_operands(const node& n, bool relaxes) {
        if (n.what == kind::constant) return to_.constant(from_.coefficients.value(n.a));
        if (n.what == kind::variable) return to_.variable(n.a);
        if (n.what == kind::slot) return to_.slot(n.a);
        const bool three = n.what >= kind::select;
        const int a = operand(operand_of(n, 0), relaxes);
        const int b = three || n.b >= 0 ? operand(operand_of(n, 1), relaxes) : -1;
        const int c = three ? operand(operand_of(n, 2), relaxes) : -1;
        if (n.what == kind::select) return to_.select(a, b, c);
        if (n.what == kind::call || three) return to_.call(n.function, a, b, c);
        if (n.what == kind::condition) return to_.condition(static_cast<relation>(n.function), a, b);
        if (n.what == kind::negate) return to_.negate(a);
        return to_.binary(n.what, a, b);
    }

    constexpr int copied(int id) {
        if (is_mark(id)) return to_.node_of(relaxed(from_[id].a));
        return with_operands(from_[id], false);
    }

    constexpr term rewritten(int id) {
        const node n = from_[id];
        if (is_mark(id)) return relaxed(n.a);
        if (is_sum(n)) return sum(id);
        if (n.what == kind::multiply) return to_.multiply(relaxed(n.a), relaxed(n.b));
        if (n.what == kind::divide) return to_.multiply(relaxed(n.a), to_.power(relaxed(n.b), -1));
        return to_.canonical(with_operands(n, true));
    }

    // The sum of the terms of a sum and of those that it absorbs, from left to right.
    constexpr term sum(int id) {
        list<term> open;
        const int bottom = to_.mark();
        open.push_back({0, id});
        while (open.count != 0) {
            const term t = open.pop_back();
            const node n = from_[t.id];
            if (t.id != id && !is_absorbed(t.id)) {
                const term leaf = relaxed(t.id);
                to_.push_term((t.c & 1) != 0 && !leaf.is_zero() ? -leaf : leaf);
            } else if (n.what == kind::negate) {
                open.push_back({t.c ^ 1, n.a});
            } else {
                open.push_back({n.what == kind::subtract ? t.c ^ 1 : t.c, n.b});
                open.push_back({t.c, n.a});
            }
        }
        return to_.sum_since(bottom);
    }
};

/// Replaces a graph by one with relaxed values, and the nodes of variables by theirs.
constexpr void relax(lowering& l, list<term>& roots) {
    canonical_graph made;
    for (int i = 0; i < l.variables.count; ++i)
        l.variables.items[i].node = made.variable(l.g[l.variables.items[i].node].a);
    for (int& active : l.actives) active = made.variable(l.g[active].a);
    made.custom_functions.swap(l.g.custom_functions);
    relaxation(l.g, made).run(roots);
    l.g = static_cast<canonical_graph&&>(made);
}

} // namespace chainrule::graph
