// SPDX-License-Identifier: BSL-1.0
//
// The instructions of products of derivatives: factors, shared reciprocals and guards.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>

namespace chainrule::codegen {

constexpr int scheduler::reciprocal_slot(int id) {
    if (at_.items[id].reciprocal_slot < 0)
        at_.items[id].reciprocal_slot = emit(opcode::divide, constant_slot(0), at_.items[id].slot);
    return at_.items[id].reciprocal_slot;
}

// Whether the reciprocal of a node is worth a slot: it exists already, or has several uses.
constexpr bool scheduler::has_reciprocal(int id) {
    if (at_.items[id].reciprocal_slot >= 0) return true;
    if (at_.items[id].reciprocal >= 0 && at_.items[at_.items[id].reciprocal].slot >= 0) {
        at_.items[id].reciprocal_slot = at_.items[at_.items[id].reciprocal].slot;
        return true;
    }
    return at_.items[id].reciprocal_uses > 1;
}

// `c` is the coefficient of the product. It is set to one if a numerator absorbed it.
constexpr scheduler::factors scheduler::emit_factors(int id, int& c) {
    const factored_product m = p_.factored.items[p_.factors_of.items[id]];
    list<int>& slots = factor_slots_;
    slots.truncate(0);
    int denominator = -1;
    for (int i = 0; i < m.count; ++i) {
        const int l = p_.literals.items[m.first + i];
        if (l < 0) {
            slots.push_back(constant_slot(-1 - l));
        } else if ((l & 1) == 0) {
            slots.push_back(at_.items[l >> 1].slot);
        } else if (has_reciprocal(l >> 1)) {
            slots.push_back(reciprocal_slot(l >> 1));
        } else {
            const int s = at_.items[l >> 1].slot;
            denominator = denominator < 0 ? s : emit(opcode::multiply, denominator, s);
        }
    }
    if (denominator >= 0) {
        if (slots.count == 0) {
            slots.push_back(constant_slot(c));
            c = 0;
        }
        slots.items[0] = emit(opcode::divide, slots.items[0], denominator);
    }
    if (slots.count == 0) return {}; // guards alone
    int left = slots.items[0];
    for (int i = 1; i + 1 < slots.count; ++i) left = emit(opcode::multiply, left, slots.items[i]);
    return {left, slots.count > 1 ? slots.back() : -1};
}

constexpr int scheduler::emit_product(int id) {
    int c = 0;
    const factors f = emit_factors(id, c);
    int slot = f.right < 0 ? f.left : emit(opcode::multiply, f.left, f.right);
    const factored_product m = p_.factored.items[p_.factors_of.items[id]];
    bool shares_alone = f.left < 0;
    for (int i = m.first - m.guards; i < m.first; ++i) {
        const int guard = p_.literals.items[i];
        if (g_.is_condition(guard)) continue;
        shares_alone = shares_alone && g_.is_share(guard);
        slot = emit_share(at_.items[guard].slot, slot, shares_alone);
    }
    if (slot < 0) slot = constant_slot(0);
    for (int i = m.first - m.guards; i < m.first; ++i) {
        if (!g_.is_condition(p_.literals.items[i])) continue;
        const int guard = p_.literals.items[i], condition = condition_of_guard(guard);
        const bool holds = guard == condition;
        slot = emit(opcode::select, at_.items[condition].slot, holds ? slot : zero_slot(), holds ? zero_slot() : slot);
    }
    return slot;
}

} // namespace chainrule::codegen
