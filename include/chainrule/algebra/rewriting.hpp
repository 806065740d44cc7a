// SPDX-License-Identifier: BSL-1.0
//
// Rewrites a whole graph by the identities that derivatives use, bottom up: each node becomes a sum of canonical terms
// of its rewritten operands. simplify() factors common factors out of sums; expand() multiplies sums out.
// algebra/simplify.hpp turns the result into expressions.
#pragma once

#include <chainrule/graph/canonical_graph/sums.hpp>
#include <chainrule/graph/lower.hpp>
#include <chainrule/symbolic/raise.hpp>

namespace chainrule::detail {

enum class rewriting_goal { simplify, expand };

// A template, so that only programs that simplify pay for it.
template <class Graph>
class rewriting {
public:
    static constexpr int most_terms = 1000; // of one expanded sum

    constexpr rewriting(Graph& g, rewriting_goal aim) : g_(g), expands_(aim == rewriting_goal::expand) {
        if (expands_) g_.keep_products_whole();
    }

    /// The rewritten node as rows; no rows if a sum becomes too long. Other nodes that it does not depend on are not
    /// rewritten.
    constexpr written_rows run(int root) {
        const int count = root + 1; // operands come before the nodes that use them
        needed_.resize(count, false);
        weights_.resize(count);
        is_pending_.resize(count, false);
        first_.resize(count, -1);
        count_.resize(count, 0);
        needed_[root] = true;
        for (int id = root; id >= 0; --id)
            if (needed_[id]) need_operands(id);
        for (int id = 0; id <= root; ++id)
            if (needed_[id]) rewrite(id);
        if (too_many_) return {}; // no conditional operator: g++ 12 destroys its result
        return write_rows(g_, whole(root));
    }

private:
    Graph& g_;
    bool expands_;
    bool too_many_ = false;
    list<bool> needed_;
    list<coefficient> weights_; // by node: its coefficient in the sum that is being built
    list<bool> is_pending_;     // by node: whether it is to be visited in that sum
    list<int> pending_;         // these nodes: a heap, the largest first, since operands come before nodes
    list<int> first_;           // by node: the position of its terms in terms_
    list<int> count_;
    list<term> terms_;

    // Whether the node is a sum, a difference, a negation, or an exact constant multiple.
    [[nodiscard]] constexpr bool is_additive(int id) const {
        const node& n = g_[id];
        return n.what == kind::add || n.what == kind::subtract || n.what == kind::negate || factor_of(n) >= 0;
    }
    // The constant operand of a product with, or quotient by, a nonzero constant.
    [[nodiscard]] constexpr int factor_of(const node& n) const {
        if (n.what != kind::multiply && n.what != kind::divide) return -1;
        if (is_factor(n.b)) return n.b;
        return n.what == kind::multiply && is_factor(n.a) ? n.a : -1;
    }
    [[nodiscard]] constexpr bool is_factor(int id) const { return g_[id].what == kind::constant && !g_.is_zero(id); }

    constexpr void push_pending(int id) {
        is_pending_[id] = true;
        pending_.push_back(id);
        for (int k = pending_.count - 1; k > 0 && pending_[(k - 1) / 2] < id; k = (k - 1) / 2) {
            pending_[k] = pending_[(k - 1) / 2];
            pending_[(k - 1) / 2] = id;
        }
    }
    constexpr int pop_pending() {
        const int top = pending_[0], last = pending_.pop_back();
        is_pending_[top] = false;
        if (pending_.empty()) return top;
        int k = 0;
        for (int child = 1; child < pending_.count; k = child, child = 2 * k + 1) {
            if (child + 1 < pending_.count && pending_[child + 1] > pending_[child]) ++child;
            if (pending_[child] < last) break;
            pending_[k] = pending_[child];
        }
        pending_[k] = last;
        return top;
    }

    // Calls action(node, coefficient) for the terms of a sum, with nested sums expanded. Each node is visited once.
    template <class Action>
    constexpr void for_each_summand(int root, Action action) {
        push_pending(root);
        weights_[root] = coefficient(1);
        list<int> leaves;
        while (!pending_.empty()) {
            const int id = pop_pending();
            const node n = g_[id];
            const coefficient w = weights_[id];
            const auto pass = [&](int operand, const coefficient& c) {
                weights_[operand] = is_pending_[operand] ? weights_[operand] + c : c;
                if (!is_pending_[operand]) push_pending(operand);
            };
            if (!is_additive(id)) {
                leaves.push_back(id);
            } else if (n.what == kind::negate) {
                pass(n.a, -w);
            } else if (const int f = factor_of(n); f >= 0) {
                const coefficient c = g_.value(g_[f].a);
                pass(f == n.b ? n.a : n.b, n.what == kind::divide ? w * c.reciprocal() : w * c);
            } else {
                pass(n.a, w);
                pass(n.b, n.what == kind::subtract ? -w : w);
            }
        }
        for (int i = leaves.count - 1; i >= 0; --i) action(leaves[i], weights_[leaves[i]]);
    }

    constexpr void need_operands(int id) {
        const node n = g_[id];
        if (is_additive(id)) {
            for_each_summand(id, [&](int leaf, const coefficient&) { needed_[leaf] = true; });
        } else if (const int x = g_.tested_for_finiteness(n); x >= 0) {
            needed_[x] = true;
        } else if (n.what >= kind::select) {
            for (int k = 0; k < 3; ++k) needed_[g_.pool[n.a + k].id] = true;
        } else if (n.what >= kind::negate) {
            needed_[n.a] = true;
            if (n.b >= 0) needed_[n.b] = true;
        }
    }

    constexpr void rewrite(int id) {
        const node n = g_[id];
        const int bottom = g_.mark();
        if (is_additive(id)) {
            for_each_summand(id, [&](int leaf, const coefficient& c) {
                if (c.is_zero()) return;
                const int number = g_.coefficient_number(c);
                for (int i = 0; i < count_[leaf]; ++i)
                    push(g_.times(number, terms_[first_[leaf] + i].c), terms_[first_[leaf] + i].id);
            });
        } else if (n.what == kind::multiply) {
            push_products(n.a, n.b);
        } else if (n.what == kind::divide) {
            const term reciprocal = g_.power(whole(n.b), -1);
            for (int i = 0; i < count_[n.a]; ++i) push(g_.multiply(terms_[first_[n.a] + i], reciprocal));
        } else if (n.what == kind::constant) {
            if (!g_.is_zero(id)) push({n.a, canonical_graph::one});
        } else if (n.what == kind::call) {
            const int a = g_.node_of(whole(n.a));
            push(g_.canonical(apply_operation(g_, n.function, a, n.b < 0 ? -1 : g_.node_of(whole(n.b)))));
        } else if (n.what == kind::call_of_three) {
            const int a = g_.node_of(operand(n, 0)), b = g_.node_of(operand(n, 1));
            push(g_.canonical(apply_operation(g_, n.function, a, b, g_.node_of(operand(n, 2)))));
        } else if (n.what == kind::select) {
            const int a = g_.node_of(operand(n, 1)), b = g_.node_of(operand(n, 2));
            push(g_.canonical(g_.select(operand(n, 0).id, a, b)));
        } else if (n.what == kind::condition) {
            const auto what = static_cast<relation>(n.function);
            if (what == relation::conjunction || what == relation::disjunction)
                push({0, g_.condition(what, whole(n.a).id, whole(n.b).id)});
            else if (what == relation::negation)
                push({0, g_.condition(what, whole(n.a).id)});
            else if (const int x = g_.tested_for_finiteness(n); x >= 0)
                push({0, g_.finiteness(what, g_.node_of(whole(x)))});
            else {
                const int a = g_.node_of(whole(n.a));
                push({0, g_.condition(what, a, g_.node_of(whole(n.b)))});
            }
        } else {
            push({0, id});
        }
        keep(id, bottom);
    }

    // Adds a term to the sum that is being built. A term that is itself a sum is added term by term.
    constexpr void push(int c, int id) {
        const node n = g_[id];
        if (n.what == kind::sum)
            for (int i = 0; i < n.b; ++i) g_.push_term({g_.times(c, g_.pool[n.a + i].c), g_.pool[n.a + i].id});
        else
            g_.push_term({c, id});
    }
    constexpr void push(term t) {
        if (!t.is_zero()) push(t.c, t.id);
    }
    constexpr void push_products(int a, int b) {
        if (!expands_) return push(g_.multiply(whole(a), whole(b)));
        if (count_[a] * count_[b] > 4 * most_terms) too_many_ = true;
        if (too_many_) return;
        for (int i = 0; i < count_[a]; ++i)
            for (int k = 0; k < count_[b]; ++k) g_.push_term(g_.multiply(terms_[first_[a] + i], terms_[first_[b] + k]));
    }

    // Stores the pushed terms as those of a node.
    constexpr void keep(int id, int bottom) {
        first_[id] = terms_.count;
        if (expands_) {
            list<term> terms;
            g_.collect_since(bottom, terms);
            if (terms.count > most_terms) too_many_ = true;
            merge_sort(terms);
            for (int i = 0; i < terms.count; ++i) terms_.push_back(terms[i]);
        } else if (const term sum = g_.sum_since(bottom); !sum.is_zero()) {
            terms_.push_back(sum);
        }
        count_[id] = terms_.count - first_[id];
    }
    [[nodiscard]] constexpr term operand(const node& n, int k) { return whole(g_.pool[n.a + k].id); }
    // The rewritten node as one term.
    [[nodiscard]] constexpr term whole(int id) { return g_.plain_sum(terms_.items + first_[id], count_[id]); }

    [[nodiscard]] constexpr int degree(int id) const {
        if (id == canonical_graph::one) return 0;
        const node n = g_[id];
        if (n.what != kind::product) return 1;
        int sum = 0;
        for (int i = 0; i < n.b; ++i) sum += g_.pool[n.a + i].c;
        return sum;
    }
    [[nodiscard]] constexpr term factor(int id, int i) const {
        const node n = g_[id];
        if (n.what == kind::product) return i < n.b ? g_.pool[n.a + i] : term{0, -1};
        return i == 0 && id != canonical_graph::one ? term{1, id} : term{0, -1};
    }
    [[nodiscard]] constexpr bool before(term s, term t) const {
        const int d = degree(s.id), e = degree(t.id);
        if (d != e) return d > e;
        for (int i = 0;; ++i) {
            const term f = factor(s.id, i), h = factor(t.id, i);
            if (f.id < 0 || h.id < 0) return f.id > h.id;
            if (f.id != h.id) return f.id < h.id;
            if (f.c != h.c) return f.c > h.c;
        }
    }
    // By descending degree, then by the powers of the factors in their order of appearance; constants are last.
    constexpr void merge_sort(list<term>& terms) const {
        list<term> sorted(terms.count, graph::zero_term);
        for (int width = 1; width < terms.count; width *= 2) {
            for (int low = 0; low < terms.count; low += 2 * width) {
                const int middle = low + width < terms.count ? low + width : terms.count;
                const int high = low + 2 * width < terms.count ? low + 2 * width : terms.count;
                int i = low, k = middle;
                for (int to = low; to < high; ++to)
                    sorted[to] = k == high || (i < middle && !before(terms[k], terms[i])) ? terms[i++] : terms[k++];
            }
            terms.swap(sorted);
        }
    }
};

} // namespace chainrule::detail
