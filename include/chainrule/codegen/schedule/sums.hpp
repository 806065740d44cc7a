// SPDX-License-Identifier: BSL-1.0
//
// The instructions of sums of derivatives: fused multiply-adds, grouped by their constant factors.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>

namespace chainrule::codegen {

constexpr scheduler::addend scheduler::make_addend(term t) {
    if (t.id == graph_data::one) return {0, constant_slot(t.c), -1};
    if (recomputed(t.id)) {
        const node& m = g_.nodes.items[t.id];
        const bool in_order = m.a < m.b; // as factors of derivatives are
        return {t.c, at_.items[in_order ? m.a : m.b].slot, at_.items[in_order ? m.b : m.a].slot};
    }
    if (!fused(t.id)) return {t.c, at_.items[t.id].slot, -1};
    int c = t.c & ~1;
    const factors f = emit_factors(t.id, c);
    return {c | (t.c & 1), f.left, f.right};
}

// acc + x or acc - x, in one instruction; acc < 0 means that the sum is empty.
constexpr int scheduler::accumulate(int acc, const addend& x, bool negative) {
    if (acc < 0) {
        const int s = x.right < 0 ? x.left : emit(opcode::multiply, x.left, x.right);
        return negative ? emit(opcode::negate, s) : s;
    }
    if (x.right < 0) return emit(negative ? opcode::subtract : opcode::add, acc, x.left);
    return emit(negative ? opcode::negative_multiply_add : opcode::multiply_add, x.left, x.right, acc);
}

// The sum of the addends of a group, divided by its magnitude and by sign; starts from acc. `first` is the first addend
// of the group.
constexpr int scheduler::accumulate_group(int first, bool flip, int acc) {
    const list<addend>& addends = addends_;
    int started = -1; // the first addend
    bool done = false;
    if (acc < 0) {
        // Best start: a positive single, then a positive product minus a single, then any positive one, then a
        // negative product minus a single.
        int product = -1, negative_product = -1, single = -1;
        for (int i = first; i >= 0; i = addends.items[i].next) {
            const addend& x = addends.items[i];
            const bool negative = ((x.c & 1) != 0) != flip;
            if (!negative && x.right < 0 && started < 0) started = i;
            if (!negative && x.right >= 0 && product < 0) product = i;
            if (negative && x.right >= 0 && negative_product < 0) negative_product = i;
            if (negative && x.right < 0 && single < 0) single = i;
        }
        if (started < 0) {
            started = product;
            const int both = product >= 0 ? product : negative_product;
            if (both >= 0 && single >= 0) {
                acc = emit(product >= 0 ? opcode::multiply_subtract : opcode::negative_multiply_subtract,
                           addends.items[both].left, addends.items[both].right, addends.items[single].left);
                done = true;
                for (int i = first; i >= 0; i = addends.items[i].next)
                    if (i != both && i != single)
                        acc = accumulate(acc, addends.items[i], ((addends.items[i].c & 1) != 0) != flip);
            }
        }
        if (!done && started >= 0) acc = accumulate(acc, addends.items[started], false);
    }
    if (done) return acc;
    for (int i = first; i >= 0; i = addends.items[i].next)
        if (i != started) acc = accumulate(acc, addends.items[i], ((addends.items[i].c & 1) != 0) != flip);
    return acc;
}

// Links the addends whose coefficients have the same magnitude, and collects the first of each such group. (To compare
// each with each would take time quadratic in the operands of a sum.)
constexpr void scheduler::link_groups() {
    groups_.truncate(0);
    if (last_of_group_.count < coefficients_.magnitudes.count)
        last_of_group_.resize(2 * coefficients_.magnitudes.count, -1);
    for (int i = 0; i < addends_.count; ++i) {
        int& last = last_of_group_.items[addends_.items[i].c >> 1];
        if (last < 0)
            groups_.push_back(i);
        else
            addends_.items[last].next = i;
        last = i;
    }
    for (int& first : groups_) {
        last_of_group_.items[addends_.items[first].c >> 1] = -1;
        first = numbers_first(first);
    }
}

// The addends of a group with those in front that are products with a stored number or a parameter. Rows of a matrix
// then have one form, wherever their other addends were, and may become vectors.
constexpr int scheduler::numbers_first(int first) {
    const auto is_number = [&](int slot) {
        const instruction& s = code_.body.items[slot];
        return s.what == opcode::number || (s.what == opcode::variable && s.a >= first_parameter_);
    };
    int starts[2] = {-1, -1}, ends[2] = {-1, -1};
    for (int i = first, next = -1; i >= 0; i = next) {
        const addend& x = addends_.items[i];
        next = x.next;
        const int k = x.right >= 0 && (is_number(x.left) || is_number(x.right)) ? 0 : 1;
        (ends[k] < 0 ? starts[k] : addends_.items[ends[k]].next) = i;
        ends[k] = i;
    }
    if (ends[1] >= 0) addends_.items[ends[1]].next = -1;
    if (ends[0] < 0) return starts[1];
    addends_.items[ends[0]].next = starts[1];
    return starts[0];
}

constexpr int scheduler::emit_sum(int id) {
    const node m = g_.nodes.items[id];
    list<addend>& addends = addends_;
    addends.truncate(0);
    for (int i = 0; i < m.b; ++i) addends.push_back(make_addend(g_.pool.items[m.a + i]));
    link_groups();
    int acc = -1, of_one = -1; // the group whose coefficients are +-1
    for (int k = 0; k < groups_.count; ++k)
        if (addends.items[groups_.items[k]].c < 2) of_one = groups_.items[k];
    if (groups_.count > 4) visits_ -= 4 * groups_.count; // for their constants
    bool any_positive = false;
    for (int i = of_one; i >= 0 && !any_positive; i = addends.items[i].next) any_positive = addends.items[i].c == 0;
    // Terms with coefficient +-1 first; if none is positive, another group is a better start.
    if (any_positive) acc = accumulate_group(of_one, false, -1);
    for (int k = 0; k < groups_.count; ++k) {
        const int first = groups_.items[k];
        if (first == of_one) continue;
        const int magnitude = addends.items[first].c & ~1;
        // One sign is factored out with the magnitude: that of a positive term if the sum is still empty.
        bool negative = true;
        for (int i = first; i >= 0 && negative; i = addends.items[i].next) negative = addends.items[i].c != magnitude;
        const int inner = accumulate_group(first, negative, -1);
        if (acc < 0)
            acc = emit(opcode::multiply, inner, constant_slot(magnitude | (negative ? 1 : 0)));
        else
            acc = accumulate(acc, {0, inner, constant_slot(magnitude)}, negative);
    }
    return any_positive ? acc : accumulate_group(of_one, false, acc);
}

} // namespace chainrule::codegen
