// SPDX-License-Identifier: BSL-1.0
//
// The uses of each node of a derivative, and which nodes have a constant factor in themselves or in a use.
#pragma once

#include <chainrule/optimise/constant_factors/definition.hpp>

namespace chainrule::optimise {

template <class Visit>
constexpr void constant_factor_placement::each_operand(int id, Visit visit) {
    if (is_product(id)) {
        const factored_product m = d_.factored.items[d_.factors_of.items[id]];
        for (int i = 0; i < m.count; ++i)
            if (d_.literals.items[m.first + i] >= 0) visit(d_.literals.items[m.first + i] >> 1);
    } else if (g_.nodes.items[id].what == kind::sum) {
        const node m = g_.nodes.items[id];
        for (int i = 0; i < m.b; ++i) visit(g_.pool.items[m.a + i].id);
    }
}

// The factor of a computed node in a sum or in an output.
constexpr int constant_factor_placement::coefficient_in(int user, int id) {
    if (user < 0) return outputs_.items[-1 - user].c;
    int i = g_.nodes.items[user].a;
    while (g_.pool.items[i].id != id) ++i;
    return coefficients_.times(g_.pool.items[i].c, scale_.items[user]);
}

constexpr void constant_factor_placement::add_use(int id, int user) {
    if (heads_.items[id] >= 0 && uses_.items[heads_.items[id]].user == user) return;
    ++use_counts_.items[id];
    uses_.push_back({user, heads_.items[id]});
    heads_.items[id] = uses_.count - 1;
}

constexpr void constant_factor_placement::begin() {
    const int n = d_.needed.count;
    at_.asked = outputs_.count;
    for (int i = 0; i < g_.intermediate.count; ++i) outputs_.push_back(g_.intermediate.items[i]);
    scale_ = list<int>(n);
    for (int id = 0; id < n; ++id)
        if (!v_.realized.items[id].is_zero() && d_.needed.items[id])
            scale_.items[id] = coefficients_.over(0, v_.realized.items[id].c);
    heads_ = list<int>(n, -1);
    use_counts_ = list<int>(n);
    active_ = list<bool>(n);
}

constexpr void constant_factor_placement::find_uses(int id) {
    if (is_product(id)) {
        const factored_product m = d_.factored.items[d_.factors_of.items[id]];
        bool constant = m.c > 1;
        for (int i = 0; i < m.count; ++i) {
            const int factor = d_.literals.items[m.first + i] >> 1;
            add_use(factor, id);
            constant = constant || scale_.items[factor] > 1;
        }
        if (constant) activate(id);
    } else if (g_.nodes.items[id].what == kind::sum) {
        const node m = g_.nodes.items[id];
        bool constant = false;
        for (int i = 0; i < m.b; ++i) {
            const term t = g_.pool.items[m.a + i];
            if (t.id == graph_data::one) continue;
            add_use(t.id, id);
            constant = constant || t.c > 1 || scale_.items[t.id] > 1;
        }
        if (constant) activate(id);
        // canonical_graph makes a node of a term with an extreme coefficient, to keep that apart from others.
        if (m.b == 1 && coefficients_.extreme(g_.pool.items[m.a].c)) return;
    } else {
        return;
    }
    if (!d_.as_written.items[id]) free_.push_back(id);
}

constexpr void constant_factor_placement::find_uses_in_outputs() {
    for (int i = 0; i < outputs_.count; ++i) {
        const term t = outputs_.items[i];
        if (t.is_zero() || t.id == graph_data::one) continue;
        add_use(t.id, -1 - i);
        if (t.c > 1 || scale_.items[t.id] > 1) at_.any = active_.items[t.id] = true;
    }
}

// Marks a node with a constant factor, and its operands.
constexpr void constant_factor_placement::activate(int id) {
    at_.any = active_.items[id] = true;
    each_operand(id, [this](int operand) { active_.items[operand] = true; });
}

// Marks the nodes whose costs depend on the scale of a node or of its users.
constexpr void constant_factor_placement::unsettle(int id) {
    settled_.items[id] = 0;
    each_operand(id, [this](int operand) {
        settled_.items[operand] = 0;
        if (use_counts_.items[operand] == 1) each_operand(operand, [this](int below) { settled_.items[below] = 0; });
    });
}

constexpr void constant_factor_placement::set_scale(int id, int scale) {
    if (scale_.items[id] == scale) return;
    scale_.items[id] = scale;
    activate(id);
    for (int u = heads_.items[id]; u >= 0; u = uses_.items[u].next)
        if (uses_.items[u].user >= 0) activate(uses_.items[u].user);
    if (tries_) return;
    unsettle(id);
    for (int u = heads_.items[id]; u >= 0; u = uses_.items[u].next)
        if (uses_.items[u].user >= 0) unsettle(uses_.items[u].user);
}

} // namespace chainrule::optimise
