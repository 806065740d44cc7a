// SPDX-License-Identifier: BSL-1.0
//
// Shares factors between the products of a graph. This pass first uses values that are computed anyway as factors;
// optimise/pairs.hpp then extracts pairs of factors that several products share.
#pragma once

#include <chainrule/optimise/needed_nodes.hpp>

namespace chainrule::optimise {

/// A node that can replace factors of a product, in a list of such nodes.
struct replacement {
    int id;
    int key;  // for a product, the number of literals; for a condition, the earlier of the two that it joins
    int next; // or -1
};

class product_collection {
public:
    /// The state of a pass that stopped early.
    struct progress {
        int done = 0;                     // of the three parts below
        int next = 0;                     // the node with which the next part continues
        bool shuns_cancelling = false;    // whether products use no values that cancel
        list<bool> apart;                 // values that are not only added to others
        list<replacement> value_products; // products that are values, in lists by their last factor
        list<int> value_product_heads;
        list<replacement> joint_guards; // conditions, in lists by the later of the two that they join
        list<int> joint_guard_heads;
        list<int> inverted_roots; // by u: sqrt(u) if 1 / sqrt(u) is a value and 1 / u is not, else 0

        template <class Progress, class Visitor>
        static constexpr void each_member(Progress& p, Visitor& visit) {
            visit(p.done), visit(p.next), visit(p.shuns_cancelling), visit(p.apart), visit(p.value_products);
            visit(p.value_product_heads), visit(p.joint_guards), visit(p.joint_guard_heads), visit(p.inverted_roots);
        }
    };

    /// `rearranged`: whether there are relaxed values, rearranged.
    constexpr product_collection(graph_data& g, factored_products& products, equal_values& values, progress& from,
                                 bool rearranged)
        : g_(g), coefficients_(g.coefficients), products_(products), values_(values), at_(from),
          rearranged_(rearranged) {}

    /// Collects the products that the outputs need, and the values that can replace them. Returns false if nodes are
    /// left after so many visits.
    constexpr bool run(const list<term>& outputs, int visits) {
        if (at_.done == 0) {
            at_.apart = mark_needed(g_, outputs, products_);
            visits -= g_.size() / 2;
            begin_realizations();
            ++at_.done;
        }
        if (at_.done == 1) {
            for (; at_.next < size() && visits > 0; --visits) find_realization(at_.next++);
            if (!visited_all()) return false;
            begin_products();
            ++at_.done;
        }
        for (; at_.next < size() && visits > 0; visits -= 2 + compared_ / 4) {
            compared_ = 0;
            collect_product(at_.next++);
        }
        return visited_all();
    }

private:
    graph_data& g_;
    coefficient_table& coefficients_;
    factored_products& products_;
    equal_values& values_;
    progress& at_;
    bool rearranged_;
    int compared_ = 0; // factors and values that were compared for a product
    list<term> rest_;  // the remaining factors of a product
    int c_ = 0;        // the coefficient of a product whose literals are being collected

    [[nodiscard]] constexpr int size() const { return products_.needed.count; }
    // Then the next part begins with the first node again.
    constexpr bool visited_all() {
        if (at_.next < size()) return false;
        at_.next = 0;
        return true;
    }

    // 1. Values ------------------------------------------------------------------------------------------------------

    // Value nodes that must be computed anyway and equal a needed product, or a multiple of a needed node.
    constexpr void begin_realizations() {
        const int n = products_.needed.count;
        values_.realized = list<term>(n, graph::zero_term);
        values_.scaled_heads = list<int>(n, -1);
        at_.value_product_heads = list<int>(n, -1);
        // A value that cancels must not reach another output, nor leave an untaken arm. With neither, the one output is
        // computed from it in any case.
        at_.shuns_cancelling = g_.several_outputs;
        for (int id = 0; id < n && !at_.shuns_cancelling; ++id)
            at_.shuns_cancelling = g_.is_condition(id) || g_.is_share(id);
    }
    // Whether this is a stored number times a variable that values only add. There it is part of a fused operation;
    // kept for products of derivatives, it would cost an instruction, and occupy a register until then.
    [[nodiscard]] constexpr bool joins_sums(int id) const {
        const node& m = g_.nodes.items[id];
        if (m.what != kind::multiply || at_.apart.items[id]) return false;
        const kind a = g_.nodes.items[m.a].what, b = g_.nodes.items[m.b].what;
        return (a == kind::stored_number && b == kind::variable) || (a == kind::variable && b == kind::stored_number);
    }
    constexpr void find_realization(int id) {
        const int n = products_.needed.count;
        if (!products_.needed.items[id]) return;
        const node m = g_.nodes.items[id];
        if (!products_.as_written.items[id] || (m.what != kind::multiply && m.what != kind::divide)) return;
        const term t = g_.canonical_terms.items[id];
        if (t.is_zero() || t.id >= n || t.id == graph_data::one) return; // constants cost nothing
        if (at_.shuns_cancelling && g_.cancels(id)) return;
        if (t.c == 0 && g_.nodes.items[t.id].what == kind::product && !joins_sums(id)) {
            const node& product = g_.nodes.items[t.id];
            const int last = g_.pool.items[product.a + product.b - 1].id;
            at_.value_products.push_back({id, g_.literals(t.id), at_.value_product_heads.items[last]});
            at_.value_product_heads.items[last] = at_.value_products.count - 1;
        }
        if (!products_.needed.items[t.id]) return;
        values_.scaled.push_back({t.c, id, values_.scaled_heads.items[t.id]});
        values_.scaled_heads.items[t.id] = values_.scaled.count - 1;
        // A product with an extreme coefficient is a sum of one term.
        const node& equal = g_.nodes.items[t.id];
        if (equal.what != kind::product && !(equal.what == kind::sum && equal.b == 1)) return;
        // Relaxed values are products, too: a value that may be computed from one is not a way to it.
        if (products_.as_written.items[t.id] || t.id < id) return;
        if (values_.realized.items[t.id].is_zero() || (t.c >> 1) == 0)
            values_.realized.items[t.id] = {coefficients_.over(0, t.c), id};
    }

    // 2. Products ----------------------------------------------------------------------------------------------------

    constexpr void begin_products() {
        products_.factors_of = list<int>(products_.needed.count, -1);
        note_joint_guards();
        note_inverted_roots();
    }
    constexpr void collect_product(int id) {
        const node& m = g_.nodes.items[id];
        if (m.what != kind::product || !products_.needed.items[id]) return;
        if (!values_.realized.items[id].is_zero()) return;
        rest_.truncate(0);
        const int guards = products_.literals.count;
        for (int i = m.a; i < m.a + m.b; ++i) {
            if (g_.guards(g_.pool.items[i]))
                push_guard(g_.pool.items[i]);
            else
                rest_.push_back(g_.pool.items[i]);
        }
        if (products_.literals.count - guards == 2) use_joint_guard(guards);
        const int first = products_.literals.count;
        c_ = 0;
        while (take_value_product(id)) {
        }
        for (int i = 0; i < rest_.count; ++i) {
            term f = rest_.items[i];
            // sqrt(u)^2 is u, which exists.
            if ((f.c < -1 || f.c > 1) && g_.is_square_root(f.id)) {
                push_power({f.c / 2, g_.nodes.items[f.id].a}, id, true);
                f.c %= 2;
            }
            push_power(f, id, false);
        }
        add_factored(id, first, first - guards);
    }
    // Of a power of a sum, one factor guards.
    constexpr void push_guard(term f) {
        if (g_.guards_as_number(f.id) && f.c > 1) rest_.push_back({f.c - 1, f.id});
        for (int e = g_.guards_as_number(f.id) ? 1 : f.c; e > 0; --e) products_.literals.push_back(f.id);
    }
    // 1 / u is the square of a value 1 / sqrt(u), without another division. (A greater power has too many factors.) Not
    // where u may be negative and product `of` exists.
    constexpr void push_power(term f, int of, bool rooted) {
        if (at_.inverted_roots.count != 0 && f.c < 0 && f.c >= -4 && at_.inverted_roots.items[f.id] > 0) {
            const int root = at_.inverted_roots.items[f.id];
            const node& m = g_.nodes.items[of];
            for (int i = m.a; i < m.a + m.b; ++i) rooted = rooted || g_.pool.items[i].id == root;
            if (rooted || g_.is_never_negative(f.id)) f = {2 * f.c, root};
        }
        push_literals(f);
    }
    constexpr void push_literals(term f) {
        if (const term r = values_.realized.items[f.id]; !r.is_zero()) {
            f.id = r.id;
            for (int e = f.c < 0 ? -f.c : f.c; r.c != 0 && e > 0; --e)
                c_ = f.c < 0 ? coefficients_.over(c_, r.c) : coefficients_.times(c_, r.c);
        }
        for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) products_.literals.push_back(2 * f.id + (f.c < 0 ? 1 : 0));
    }

    [[nodiscard]] constexpr bool has_inverse(int id) const {
        int k = at_.value_product_heads.items[id];
        while (k >= 0 && at_.value_products.items[k].key != 1) k = at_.value_products.items[k].next;
        return k >= 0;
    }
    constexpr void note_inverted_roots() {
        for (const replacement& v : at_.value_products) {
            if (v.key != 1) continue;
            const int root = g_.pool.items[g_.nodes.items[g_.canonical_terms.items[v.id].id].a].id;
            note_inverted_root(root);
        }
        // Relaxed values are products.
        for (int id = 0; rearranged_ && id < products_.needed.count; ++id) {
            const node& m = g_.nodes.items[id];
            if (m.what != kind::product || !products_.needed.items[id]) continue;
            for (int i = m.a; i < m.a + m.b; ++i)
                if (g_.pool.items[i].c < 0 && g_.pool.items[i].c % 2 != 0) note_inverted_root(g_.pool.items[i].id);
        }
    }
    constexpr void note_inverted_root(int root) {
        if (!g_.is_square_root(root) || has_inverse(g_.nodes.items[root].a)) return;
        if (at_.inverted_roots.count == 0) at_.inverted_roots = list<int>(products_.needed.count);
        at_.inverted_roots.items[g_.nodes.items[root].a] = root;
    }

    // Needed conditions that are conjunctions of two others; both are recorded without their negations, if any.
    constexpr void note_joint_guards() {
        for (int id = 0; id < products_.needed.count; ++id) {
            if (!products_.needed.items[id] || !g_.is_condition(id)) continue;
            const bool negation = g_.is_negation(id);
            const node& m = g_.nodes.items[negation ? g_.nodes.items[id].a : id];
            const relation joint = negation ? relation::disjunction : relation::conjunction;
            if (m.what != kind::condition || m.function != static_cast<unsigned char>(joint)) continue;
            if (at_.joint_guard_heads.count == 0) at_.joint_guard_heads = list<int>(products_.needed.count, -1);
            const int last = m.a > m.b ? m.a : m.b;
            at_.joint_guards.push_back({id, m.a + m.b - last, at_.joint_guard_heads.items[last]});
            at_.joint_guard_heads.items[last] = at_.joint_guards.count - 1;
        }
    }
    // Replaces the two guards since `first` by such a condition, if there is one.
    constexpr void use_joint_guard(int first) {
        if (at_.joint_guards.count == 0) return;
        int c = products_.literals.items[first], d = products_.literals.items[first + 1];
        const bool negations = g_.is_negation(c) && g_.is_negation(d);
        if (negations) {
            c = g_.nodes.items[c].a;
            d = g_.nodes.items[d].a;
        }
        const int last = c > d ? c : d;
        for (int i = at_.joint_guard_heads.items[last]; i >= 0; i = at_.joint_guards.items[i].next) {
            const replacement& joint = at_.joint_guards.items[i];
            if (joint.key != c + d - last || g_.is_negation(joint.id) != negations) continue;
            products_.literals.truncate(first);
            products_.literals.push_back(joint.id);
            return;
        }
    }

    // Whether a product of values divides the remaining factors of a product; the longest such product replaces its
    // factors by one literal.
    constexpr bool take_value_product(int of) {
        int best = -1, best_weight = 1;
        compared_ += rest_.count;
        for (int i = 0; i < rest_.count; ++i) {
            if (rest_.items[i].c == 0) continue;
            for (int k = at_.value_product_heads.items[rest_.items[i].id]; k >= 0;
                 k = at_.value_products.items[k].next) {
                const replacement& v = at_.value_products.items[k];
                ++compared_;
                if (v.key <= best_weight || v.id > of || !divides(g_.canonical_terms.items[v.id].id, i)) continue;
                best_weight = v.key;
                best = v.id;
            }
        }
        if (best < 0) return false;
        const node& m = g_.nodes.items[g_.canonical_terms.items[best].id];
        for (int i = 0, k = 0; k < m.b; ++k, ++i) {
            while (rest_.items[i].id != g_.pool.items[m.a + k].id) ++i;
            rest_.items[i].c -= g_.pool.items[m.a + k].c;
        }
        products_.literals.push_back(2 * best);
        return true;
    }
    // Whether a product whose last factor is number `last` of the remaining factors divides them.
    [[nodiscard]] constexpr bool divides(int product, int last) const {
        const node& m = g_.nodes.items[product];
        if (m.b > last + 1) return false;
        for (int i = last, k = m.b - 1; k >= 0; --k, --i) {
            const term f = g_.pool.items[m.a + k];
            while (i >= 0 && rest_.items[i].id > f.id) --i;
            if (i < 0 || rest_.items[i].id != f.id) return false;
            if (f.c > 0 ? rest_.items[i].c < f.c : rest_.items[i].c > f.c) return false;
        }
        return true;
    }

    constexpr void add_factored(int id, int first, int guards) {
        products_.factors_of.items[id] = products_.factored.count;
        products_.factored.push_back({first, products_.literals.count - first, id, c_, guards});
    }
};

} // namespace chainrule::optimise
