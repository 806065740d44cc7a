// SPDX-License-Identifier: BSL-1.0
//
// Records the long sums among the values so that derivatives can reuse them. Each is a linear form: a list of terms,
// indexed by its first term. In a sum that contains all terms of a form with proportional coefficients, the form
// replaces them (graph/canonical_graph/definition.hpp).
#pragma once

#include <chainrule/graph/graph_data.hpp>

namespace chainrule::graph {

/// The sums among the values, expanded into terms that are not sums themselves.
class written_sums {
public:
    list<term> leaves; // of the sum last expanded, with their signs

    /// The values are the first `count` nodes.
    constexpr written_sums(const graph_data& g, int count) : g_(g), uses_(count), sum_uses_(count) {
        for (int id = 0; id < count; ++id) {
            const node& m = g.nodes.items[id];
            if (m.what < kind::negate || m.what >= kind::sum) continue;
            const int in_sum = m.what == kind::add || m.what == kind::subtract ? 1 : 0;
            // (Few statements: clang counts them.)
            ++uses_.items[m.a], sum_uses_.items[m.a] += in_sum;
            if (m.b >= 0) ++uses_.items[m.b], sum_uses_.items[m.b] += in_sum;
        }
    }

    /// Whether a node is a sum that is long enough to record; then `leaves` are its terms.
    constexpr bool expand(int id) {
        // A sum whose only use is in another sum belongs to that sum.
        if (!is_sum(id) || (uses_.items[id] == 1 && sum_uses_.items[id] == 1)) return false;
        leaves.truncate(0);
        leaves.push_back({0, id});
        for (int i = 0; i < leaves.count && leaves.count <= longest; ++i) {
            while (leaves.count <= longest) {
                const term u = leaves.items[i];
                const node& sum = g_.nodes.items[u.id];
                if ((sum.what != kind::add && sum.what != kind::subtract) || (u.id != id && uses_.items[u.id] > 1))
                    break;
                leaves.push_back({sum.what == kind::subtract ? u.c ^ 1 : u.c, sum.b});
                leaves.items[i] = {u.c, sum.a};
            }
        }
        return leaves.count >= shortest && leaves.count <= longest;
    }

    // Most sums are too short to be worth a search.
    static constexpr int shortest = 5, longest = 1024;

private:
    const graph_data& g_;
    list<int> uses_, sum_uses_;

    [[nodiscard]] constexpr bool is_sum(int id) const {
        return g_.nodes.items[id].what == kind::add || g_.nodes.items[id].what == kind::subtract;
    }
};

/// A recorded sum: a run of terms.
struct linear_form {
    int value; // the node
    int first; // its terms
    int count;
    int next;  // the next form with the same first term, or -1
    int slope; // the coefficient of the second term over that of the first
};

class linear_forms {
public:
    constexpr linear_forms() = default;
    /// Prepares for the forms of a graph with that many nodes.
    constexpr explicit linear_forms(int size) : heads_(size, -1) {}

    /// Records the terms since bottom as the form of a value.
    constexpr void note(int value, const list<term>& terms, int bottom, coefficient_table& coefficients) {
        const int count = terms.count - bottom;
        if (count < written_sums::shortest) return;
        const int head = terms.items[bottom].id;
        if (head >= heads_.count) return;
        forms_.push_back({value, terms_.count, count, heads_.items[head],
                          coefficients.over(terms.items[bottom + 1].c, terms.items[bottom].c)});
        heads_.items[head] = forms_.count - 1;
        for (int i = bottom; i < terms.count; ++i) terms_.push_back(terms.items[i]);
    }

    [[nodiscard]] constexpr int size() const { return forms_.count; }
    [[nodiscard]] constexpr int term_count() const { return terms_.count; }
    [[nodiscard]] constexpr bool could_replace(int terms) const {
        return forms_.count != 0 && terms >= written_sums::shortest;
    }

    /// Whether the terms since bottom contained a multiple of a form, which then replaces them by one term. `position`
    /// holds a zero for each node. Adds the forms that it compared to `compared`.
    constexpr bool replace(list<term>& terms, int bottom, list<int>& position, coefficient_table& coefficients,
                           int& compared) const {
        for (int i = bottom; i < terms.count; ++i) position.items[terms.items[i].id] = i + 1;
        int ratio = 0;
        const linear_form* const found = find(terms, bottom, position, coefficients, ratio, compared);
        if (found != nullptr)
            for (int k = found->first; k < found->first + found->count; ++k) position.items[terms_.items[k].id] = 0;
        int kept = bottom;
        for (int i = bottom; i < terms.count; ++i) {
            const term t = terms.items[i];
            if (position.items[t.id] == 0) continue;
            position.items[t.id] = 0;
            terms.items[kept++] = t;
        }
        terms.truncate(kept);
        if (found == nullptr) return false;
        terms.push_back({ratio, found->value});
        return true;
    }

    /// Calls visit(member) for each member.
    template <class Forms, class Visitor>
    static constexpr void each_member(Forms& forms, Visitor& visit) {
        visit(forms.forms_);
        visit(forms.terms_);
        visit(forms.heads_);
    }

private:
    list<linear_form> forms_;
    list<term> terms_;
    list<int> heads_; // by node: forms with that first term

    [[nodiscard]] constexpr const linear_form* find(const list<term>& terms, int bottom, const list<int>& position,
                                                    coefficient_table& coefficients, int& ratio, int& compared) const {
        for (int i = bottom; i < terms.count; ++i) {
            const term t = terms.items[i];
            if (t.id >= heads_.count) continue;
            int second = -1, slope = -1; // in these terms
            for (int f = heads_.items[t.id]; f >= 0; f = forms_.items[f].next, ++compared) {
                const linear_form& candidate = forms_.items[f];
                if (candidate.count > terms.count - bottom) continue;
                // Rows of a matrix have the same first term and the same second one.
                if (const int id = terms_.items[candidate.first + 1].id; id != second) {
                    const int place = position.items[id] - 1;
                    second = id;
                    slope = place < 0 ? -1 : coefficients.over(terms.items[place].c, t.c);
                }
                if (candidate.slope != slope &&
                    (slope < 0 || !coefficients.value(candidate.slope).may_equal(coefficients.value(slope))))
                    continue;
                ratio = coefficients.over(t.c, terms_.items[candidate.first].c);
                bool all = true;
                for (int k = candidate.first + 1; k < candidate.first + candidate.count && all; ++k) {
                    const term u = terms_.items[k];
                    const int place = position.items[u.id] - 1;
                    all = place >= 0 && terms.items[place].c == coefficients.times(ratio, u.c);
                }
                if (all) return &candidate;
            }
        }
        return nullptr;
    }
};

} // namespace chainrule::graph
