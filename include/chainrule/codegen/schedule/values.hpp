// SPDX-License-Identifier: BSL-1.0
//
// The instructions of values, which are computed as written, and of outputs.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>

namespace chainrule::codegen {

constexpr void scheduler::emit_node(int id) {
    if (is_product(id)) {
        at_.items[id].slot = emit_product(id);
        return;
    }
    const node m = g_.nodes.items[id];
    int slot = -1;
    if (m.what == kind::sum)
        slot = emit_sum(id);
    else if (m.what == kind::add || m.what == kind::subtract)
        slot = emit_value_sum(m);
    else if (m.what == kind::multiply)
        slot = emit(opcode::multiply, at_.items[m.a].slot, at_.items[m.b].slot);
    else if (m.what == kind::divide && m.a == graph_data::one)
        slot = reciprocal_slot(m.b);
    else if (m.what == kind::divide)
        slot = emit(opcode::divide, at_.items[m.a].slot, at_.items[m.b].slot);
    else if (m.what == kind::call)
        slot = emit_call(id, m);
    else if (m.what == kind::variable)
        slot = emit(opcode::variable, m.a);
    else if (m.what == kind::stored_number)
        slot = emit(opcode::number, m.a);
    else if (m.what == kind::negate)
        slot = emit(opcode::negate, at_.items[m.a].slot);
    else if (m.what == kind::condition)
        slot = emit_condition(m);
    else if (m.what == kind::select)
        slot = emit_three(opcode::select, m);
    else if (m.what == kind::call_of_three)
        slot = emit_three(opcode::call, m);
    else
        slot = constant_slot(m.a);
    at_.items[id].slot = slot;
}

// a * b + c in one expression, as the user wrote it: the compiler may contract it if its flags say so.
constexpr int scheduler::emit_value_sum(const node& m) {
    const bool adds = m.what == kind::add;
    if (fused_value(m.a)) {
        const node p = g_.nodes.items[m.a];
        return emit(adds ? opcode::multiply_add : opcode::multiply_subtract, at_.items[p.a].slot, at_.items[p.b].slot,
                    at_.items[m.b].slot);
    }
    if (fused_value(m.b)) {
        const node p = g_.nodes.items[m.b];
        return emit(adds ? opcode::multiply_add : opcode::negative_multiply_add, at_.items[p.a].slot,
                    at_.items[p.b].slot, at_.items[m.a].slot);
    }
    return emit(adds ? opcode::add : opcode::subtract, at_.items[m.a].slot, at_.items[m.b].slot);
}

constexpr int scheduler::emit_condition(const node& m) {
    code_.conditional = true;
    const int a = at_.items[m.a].slot;
    return emit(opcode::condition, a, m.b < 0 ? a : at_.items[m.b].slot, 0, m.function);
}

constexpr int scheduler::emit_three(opcode what, const node& m) {
    const term* const operands = g_.pool.items + m.a;
    return emit(what, at_.items[operands[0].id].slot, at_.items[operands[1].id].slot, at_.items[operands[2].id].slot,
                m.function);
}

constexpr int scheduler::emit_call(int id, const node& m) {
    const bool is_sine = m.function == functions::sin::position;
    if (is_sine || m.function == functions::cos::position) {
        if (at_.items[id].pair_place < 0) emit_pair(m.a);
        if (at_.items[id].pair_place >= 0)
            return emit(opcode::reload, at_.items[id].pair_slot, at_.items[id].pair_place);
    }
    const int a = at_.items[m.a].slot;
    return emit(opcode::call, a, m.b < 0 ? a : at_.items[m.b].slot, a, m.function);
}

// The sine and the cosine of an available node, if both are used.
constexpr void scheduler::emit_pair(int argument) {
    if (!has_pair(argument)) return;
    const int first = emit(opcode::sine_cosine, at_.items[argument].slot, code_.pair_places);
    emit(opcode::cosine_of_pair, first);
    const int ids[] = {at_.items[argument].sine, at_.items[argument].cosine};
    for (int i = 0; i < 2; ++i) {
        at_.items[ids[i]].pair_slot = first + i;
        at_.items[ids[i]].pair_place = code_.pair_places++;
    }
}

// Outputs that are the same multiple of a node share one instruction.
constexpr int scheduler::output_slot(int i) {
    const term t = outputs_.items[i];
    if (t.is_zero()) return zero_slot();
    if (t.id == graph_data::one) return constant_slot(t.c);
    if (t.c == 0) return at_.items[t.id].slot;
    node_state& of = at_.items[t.id];
    if (of.multiple_slot < 0 || of.multiple != t.c) {
        of.multiple = t.c;
        of.multiple_slot =
            t.c == 1 ? emit(opcode::negate, of.slot) : emit(opcode::multiply, constant_slot(t.c), of.slot);
    }
    return of.multiple_slot;
}

} // namespace chainrule::codegen
