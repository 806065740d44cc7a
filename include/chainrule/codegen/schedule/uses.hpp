// SPDX-License-Identifier: BSL-1.0
//
// The uses of nodes, which the scheduler counts before it emits: how often, which sines have a cosine, which values are
// reciprocals.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>

namespace chainrule::codegen {

// Sines and cosines of one argument, and values that equal reciprocals.
constexpr void scheduler::find_partners() {
    const int n = p_.needed.count;
    for (int id = 0; id < n; ++id) {
        if (!p_.needed.items[id]) continue;
        const node& m = g_.nodes.items[id];
        if (m.what == kind::call_of_three) calls_.push_back(id);
        if (m.what == kind::call) {
            calls_.push_back(id);
            if (m.function == functions::sin::position) at_.items[m.a].sine = id;
            if (m.function == functions::cos::position) at_.items[m.a].cosine = id;
        } else if (m.what == kind::variable || m.what == kind::stored_number) {
            inputs_.push_back(id);
        }
        if (m.what == kind::divide && m.a == graph_data::one && p_.as_written.items[id]) at_.items[m.b].reciprocal = id;
    }
}

constexpr void scheduler::use_outputs() {
    for (int i = 0; i < outputs_.count; ++i) {
        if (outputs_.items[i].is_zero()) continue;
        use(outputs_.items[i].id);
        ++at_.items[outputs_.items[i].id].uses; // outputs need their own slot and are never fused into a sum
    }
}

// Returns false if nodes are left after so many visits.
constexpr bool scheduler::count_uses() {
    while (stack_.count != 0) {
        if (visits_-- <= 0) return false;
        const int id = stack_.pop_back();
        if (is_product(id)) {
            const factored_product m = p_.factored.items[p_.factors_of.items[id]];
            for (int i = m.first - m.guards; i < m.first; ++i) use(condition_of_guard(p_.literals.items[i]));
            for (int i = m.first; i < m.first + m.count; ++i) {
                const int l = p_.literals.items[i];
                if (l < 0) continue;
                if ((l & 1) != 0) ++at_.items[l >> 1].reciprocal_uses;
                use(l >> 1);
            }
            continue;
        }
        const node m = g_.nodes.items[id];
        if (m.what == kind::sum) {
            for (int i = m.a; i < m.a + m.b; ++i)
                if (g_.pool.items[i].id != graph_data::one) use(g_.pool.items[i].id);
        } else if (m.what >= kind::select) {
            for (int i = m.a; i < m.a + m.b; ++i) use(g_.pool.items[i].id);
        } else if (m.what >= kind::negate) {
            use(m.a);
            if (m.b >= 0) use(m.b);
        }
    }
    return true;
}

constexpr void scheduler::use(int id) {
    if (at_.items[id].uses++ == 0) stack_.push_back(id);
}

// A sum that is used only by an output absorbs the output's sign.
constexpr void scheduler::place_output_signs() {
    for (int i = 0; i < outputs_.count; ++i) {
        term& t = outputs_.items[i];
        if (t.is_zero() || t.c != 1 || at_.items[t.id].uses != 2) continue;
        if (t.id >= p_.needed.count || g_.nodes.items[t.id].what != kind::sum) continue;
        const node& m = g_.nodes.items[t.id];
        for (int k = m.a; k < m.a + m.b; ++k) g_.pool.items[k].c ^= 1;
        t.c = 0;
    }
}

} // namespace chainrule::codegen
