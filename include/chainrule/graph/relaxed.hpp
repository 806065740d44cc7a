// SPDX-License-Identifier: BSL-1.0
//
// Relaxed values: what relaxed(u) marks is rewritten into sums and products of terms, as derivatives are
// (graph/canonical_graph/products.hpp, graph/canonical_graph/sums.hpp). So quotients share reciprocals, like terms and
// factors meet, and values and derivatives share their parts. Polynomials follow Horner's rule (graph/horner.hpp), and
// products of exponentials or powers are one call. What is also needed as written is computed as written.
#pragma once

#include <chainrule/graph/horner.hpp>
#include <chainrule/graph/lower.hpp>

namespace chainrule::graph {

/// How the values below a mark are computed; codegen/compile.hpp chooses what costs least.
enum class relaxed_form : unsigned char {
    unchosen,    // as written, with the marks
    rearranged,  // as sums and products of terms
    reciprocals, // as written, but with products by reciprocals instead of quotients
    written
};

/// The form of least cost, and of equals the one most like the values as written.
[[nodiscard]] constexpr relaxed_form cheapest_form(int rearranged, int reciprocals, int written) {
    if (written <= reciprocals && written <= rearranged) return relaxed_form::written;
    return reciprocals <= rearranged ? relaxed_form::reciprocals : relaxed_form::rearranged;
}

/// Copies the values that roots need into an empty graph, and rewrites those below a mark. (A template, so that
/// programs without relaxed values do not pay for it.)
template <class Graph, relaxed_form Form>
class relaxation {
public:
    constexpr relaxation(const Graph& from, Graph& to) : from_(from), to_(to), at_(from.size(), state{}) {}

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
            roots.items[i] = is_mark(id) && rearranges() ? relaxed(from_[id].a) : term{0, written(id)};
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
    const Graph& from_;
    Graph& to_;
    list<state> at_;
    list<bool> single_; // by node of the new graph: a call that only one product uses

    [[nodiscard]] static constexpr bool rearranges() { return Form == relaxed_form::rearranged; }
    [[nodiscard]] static constexpr bool is_sum(const node& n) {
        return n.what == kind::add || n.what == kind::subtract || n.what == kind::negate;
    }
    [[nodiscard]] constexpr bool is_mark(int id) const { return from_.is_call(id, functions::relaxed::position); }
    // Whether a sum is part of one other sum.
    [[nodiscard]] constexpr bool is_absorbed(int id) const {
        const state& s = at_.items[id];
        return rearranges() && is_sum(from_[id]) && s.uses == 1 && s.in_sum && !s.written;
    }

    constexpr void find_uses(const list<term>& roots) {
        for (int i = 0; i < roots.count; ++i) {
            at_.items[roots.items[i].id].written = true;
            ++at_.items[roots.items[i].id].uses;
        }
        for (int id = from_.size() - 1; id > 0; --id) {
            const state s = at_.items[id];
            if (!s.written && !s.relaxed) continue;
            const bool relaxes = Form != relaxed_form::written && (!s.written || is_mark(id));
            for (int k = from_.operand_count(id) - 1; k >= 0; --k) {
                state& operand = at_.items[from_.operand_of(id, k)];
                ++operand.uses;
                (relaxes ? operand.relaxed : operand.written) = true;
                operand.in_sum = operand.in_sum || (relaxes && is_sum(from_[id]));
            }
        }
        at_.items[Graph::one].place = Graph::one;
        at_.items[Graph::one].written = true;
    }

    // Operands in the new graph -----------------------------------------------------------------------------------

    [[nodiscard]] constexpr int written(int id) { return at_.items[id].place; }
    [[nodiscard]] constexpr term relaxed(int id) {
        return at_.items[id].written ? to_.canonical(at_.items[id].place) : at_.items[id].value;
    }
    [[nodiscard]] constexpr int operand(int id, bool relaxes) {
        return relaxes && !at_.items[id].written ? to_.node_of(at_.items[id].value) : at_.items[id].place;
    }

    // The node with its operands, in the new graph; -1 is not an operand.
    constexpr int with_operands(int id, bool relaxes) {
        const node n = from_[id];
        if (const int x = from_.tested_for_finiteness(n); x >= 0)
            return to_.finiteness(static_cast<relation>(n.function), operand(x, relaxes));
        if (n.what == kind::constant) return to_.constant(from_.coefficients.value(n.a));
        if (n.what == kind::variable) return to_.variable(n.a);
        if (n.what == kind::stored_number) return to_.stored_number(n.a);
        const int count = from_.operand_count(id);
        const auto operand_at = [&](int k) { return k < count ? operand(from_.operand_of(id, k), relaxes) : -1; };
        const int a = operand_at(0), b = operand_at(1), c = operand_at(2);
        if (n.what == kind::select) return to_.select(a, b, c);
        if (n.what == kind::call || n.what == kind::call_of_three) return to_.call(n.function, a, b, c);
        if (n.what == kind::condition) return to_.condition(static_cast<relation>(n.function), a, b);
        if (n.what == kind::negate) return to_.negate(a);
        return to_.binary(n.what, a, b);
    }

    constexpr int copied(int id) {
        if (is_mark(id)) return rearranges() ? to_.node_of(relaxed(from_[id].a)) : operand(from_[id].a, true);
        return with_operands(id, false);
    }

    constexpr term rewritten(int id) {
        const node n = from_[id];
        if (!rearranges()) return {0, by_reciprocal(id)};
        if (is_mark(id)) return relaxed(n.a);
        if (is_sum(n)) return sum(id);
        if (n.what == kind::multiply) return product(n, to_.multiply(relaxed(n.a), relaxed(n.b)));
        if (n.what == kind::divide) return product(n, to_.multiply(relaxed(n.a), to_.power(relaxed(n.b), -1)));
        const term t = to_.canonical(with_operands(id, true));
        if (at_.items[id].uses == 1 && !t.is_zero() && t.c == 0 && is_power(t.id)) set_single(t.id, true);
        return t;
    }

    // Products of powers: exp(a) exp(b) is exp(a + b) and pow(x, a) pow(x, b) is pow(x, a + b), if nothing else uses
    // the two calls ------------------------------------------------------------------------------------------------

    [[nodiscard]] constexpr bool is_power(int id) const {
        return to_.is_call(id, functions::exp::position) || to_.is_call(id, functions::pow::position);
    }
    // Whether the product that is being built is the only user of a call so far.
    [[nodiscard]] constexpr bool is_single(int id) const { return id < single_.count && single_.items[id]; }
    constexpr void set_single(int id, bool is) {
        if (single_.count <= id) single_.resize(id + 64, false);
        single_.items[id] = is;
    }
    [[nodiscard]] constexpr bool can_merge(term f, term g) const {
        if (f.c * g.c != 1 && f.c * g.c != -1) return false;
        if (!is_single(f.id) || !is_single(g.id) || to_[f.id].function != to_[g.id].function) return false;
        return to_[f.id].function == functions::exp::position || to_[f.id].a == to_[g.id].a;
    }

    constexpr term product(const node& n, term t) {
        if (to_.is_conditional() || t.is_zero()) return t;
        for (int k = 0; k < 2; ++k) {
            const int operand = k == 0 ? n.a : n.b;
            if (at_.items[operand].uses == 1 || at_.items[operand].written) continue;
            const term shared = at_.items[operand].value;
            if (shared.is_zero()) continue;
            const node& p = to_[shared.id];
            for (int i = p.a; p.what == kind::product && i < p.a + p.b; ++i) set_single(to_.pool.items[i].id, false);
        }
        while (merge(t)) {
        }
        return t;
    }
    constexpr bool merge(term& t) {
        const node p = to_[t.id];
        if (p.what != kind::product) return false;
        for (int i = p.a; i < p.a + p.b; ++i)
            for (int k = i + 1; k < p.a + p.b; ++k) {
                const term f = to_.pool.items[i], g = to_.pool.items[k];
                if (!can_merge(f, g)) continue;
                const term rest = to_.without_factor(to_.without_factor(t, f), g);
                t = to_.multiply(rest, to_.canonical(merged(f, g)));
                return true;
            }
        return false;
    }
    // The call that is the product of two.
    constexpr int merged(term f, term g) {
        const bool is_exp = to_[f.id].function == functions::exp::position;
        const int bottom = to_.mark();
        for (int k = 0; k < 2; ++k) { // nvcc rejects a list of both
            const term factor = k == 0 ? f : g;
            const term exponent = to_.canonical(is_exp ? to_[factor.id].a : to_[factor.id].b);
            to_.push_term(factor.c < 0 && !exponent.is_zero() ? -exponent : exponent);
        }
        const term sum = to_.sum_since(bottom);
        if (sum.is_zero()) return Graph::one;
        const int exponent = to_.node_of(sum);
        const int exact = is_exp ? -1 : to_.exact_power(to_[f.id].a, exponent);
        if (exact >= 0) return exact;
        const int call = is_exp ? to_.call(functions::exp::position, exponent)
                                : to_.call(functions::pow::position, to_[f.id].a, exponent);
        set_single(call, true);
        return call;
    }

    constexpr int by_reciprocal(int id) {
        const node n = from_[id];
        if (n.what == kind::call && n.function == functions::relaxed::position) return operand(n.a, true);
        if (n.what != kind::divide) return with_operands(id, true);
        const int a = operand(n.a, true), b = operand(n.b, true);
        if (to_[b].what == kind::constant && !to_.is_zero(b))
            return to_.binary(kind::multiply, a, to_.constant(to_.value(to_[b].a).reciprocal()));
        return to_.binary(kind::multiply, a, to_.binary(kind::divide, Graph::one, b));
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
        if (to_.is_conditional()) return to_.sum_since(bottom);
        list<term> terms;
        to_.collect_since(bottom, terms);
        return horner_rule<Graph>(to_).sum(terms);
    }
};

/// Replaces a graph by one with relaxed values, and the nodes of variables by theirs.
template <relaxed_form Form, class Lowering>
constexpr void relax(Lowering& l, list<term>& roots) {
    canonical_graph made;
    for (int i = 0; i < l.variables.count; ++i)
        l.variables.items[i].node = made.variable(l.g[l.variables.items[i].node].a);
    for (int& active : l.actives) active = made.variable(l.g[active].a);
    made.custom_functions.swap(l.g.custom_functions);
    relaxation<canonical_graph, Form>(l.g, made).run(roots);
    l.g = static_cast<canonical_graph&&>(made);
}

} // namespace chainrule::graph
