// SPDX-License-Identifier: BSL-1.0
//
// The order in which nodes are emitted: calls first with their operands, then each output with its operands, depth
// first. An explicit stack replaces recursion.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>

namespace chainrule::codegen {

// Calls and their operands come first: no register is preserved across a call, so other results computed before the
// last call would be stored and reloaded. A pair of sine and cosine comes before single results, since it is
// returned in memory anyway.
constexpr bool scheduler::emit_calls() {
    if (state_.done == 2) {
        for (int& i = state_.next; i < calls_.count; ++i) {
            const node& m = g_.nodes.items[calls_.items[i]];
            if (m.what != kind::call || m.function != functions::sin::position || !has_pair(m.a)) continue;
            if (!emit_from({0, m.a})) return false;
            if (at_.items[calls_.items[i]].pair_place < 0) emit_pair(m.a);
        }
        state_.next = 0;
        ++state_.done;
    }
    if (state_.done > 3) return true;
    for (int& i = state_.next; i < calls_.count; ++i) {
        const node_state& call = at_.items[calls_.items[i]];
        const bool emitted = call.uses == 0 || call.pair_place >= 0;
        if (!emitted && !emit_from({0, calls_.items[i]})) return false;
    }
    state_.next = 0;
    ++state_.done;
    code_.calls_end = code_.body.count;
    // Numbers in memory stay there until they are used.
    for (int i = 0; i < inputs_.count; ++i) at_.items[inputs_.items[i]].slot = -1;
    for (int i = 0; i < calls_.count; ++i)
        if (at_.items[calls_.items[i]].pair_place >= 0) at_.items[calls_.items[i]].slot = -1;
    return true;
}

// Returns false if operands are left after so many visits: those on the stack.
constexpr bool scheduler::emit_from(term output) {
    if (output.is_zero()) return true;
    if (stack_.count == 0) stack_.push_back(2 * output.id);
    while (stack_.count != 0) {
        if (visits_-- <= 0) return false;
        visit(stack_.pop_back());
    }
    return true;
}

// Visits a node before its operands, or after them. (Not in the loop: the time that clang takes for a variable grows
// with the number of variables that a call of its function has had.)
constexpr void scheduler::visit(int top) {
    const int id = top >> 1;
    if (at_.items[id].slot >= 0) return;
    if ((top & 1) != 0) return emit_node(id);
    stack_.push_back(top | 1);
    const int bottom = stack_.count;
    push_operands(id);
    // The first operand is computed first, so it must be on top of the stack.
    for (int i = bottom, j = stack_.count - 1; i < j; ++i, --j) {
        const int t = stack_.items[i];
        stack_.items[i] = stack_.items[j];
        stack_.items[j] = t;
    }
}

constexpr void scheduler::push_operands(int id) {
    if (is_product(id)) return push_factors(id);
    const node m = g_.nodes.items[id];
    if (m.what == kind::sum) {
        for (int i = m.a; i < m.a + m.b; ++i) {
            const int operand = g_.pool.items[i].id;
            if (operand == graph_data::one) continue;
            if (fused(operand))
                push_factors(operand);
            else
                push_value(operand, recomputed(operand));
        }
    } else if (m.what >= kind::select) {
        for (int i = m.a; i < m.a + m.b; ++i) push(g_.pool.items[i].id);
    } else if (m.what >= kind::negate) {
        const bool adds = m.what == kind::add || m.what == kind::subtract;
        const bool fuse_first = adds && fused_value(m.a);
        push_value(m.a, fuse_first);
        if (m.b >= 0) push_value(m.b, adds && !fuse_first && fused_value(m.b));
    }
}

constexpr void scheduler::push_factors(int id) {
    const factored_product m = p_.factored.items[p_.factors_of.items[id]];
    for (int i = m.first - m.guards; i < m.first; ++i) push(condition_of_guard(p_.literals.items[i]));
    for (int i = m.first; i < m.first + m.count; ++i)
        if (p_.literals.items[i] >= 0) push(p_.literals.items[i] >> 1);
}

constexpr void scheduler::push_value(int id, bool fuse) {
    if (!fuse) return push(id);
    push(g_.nodes.items[id].a);
    push(g_.nodes.items[id].b);
}

} // namespace chainrule::codegen
