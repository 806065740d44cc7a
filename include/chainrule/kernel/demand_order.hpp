// SPDX-License-Identifier: BSL-1.0
//
// The order of instructions in the constant evaluation of programs with a select or a share. There an operation outside
// its domain is an error even in an untaken arm or with a share of 0, so an instruction runs only if a result needs it,
// in as many rounds as selects are nested. At run time everything is computed, without a branch. kernel/emit.hpp uses
// this order.
#pragma once

#include <chainrule/codegen/code.hpp>

#include <cstddef>

namespace chainrule::kernel {

/// The order for a program with at most `Slots` constants and instructions, on numbers of type T.
template <class T, std::size_t Slots>
class demand_order {
public:
    constexpr demand_order(const codegen::instruction* code, std::size_t constants, std::size_t size)
        : code_(code), first_(constants), size_(size) {
        for (std::size_t i = 0; i < first_; ++i) done_[i] = true;
    }

    /// Begins a round: determines which instructions the results need, given the known conditions and values. Returns
    /// false when all are done.
    constexpr bool begin(const bool* conditions, const T* values) {
        conditions_ = conditions;
        values_ = values;
        for (bool& n : needed_) n = false;
        bool complete = true;
        for (std::size_t i = size_; i-- > 0;) {
            const codegen::instruction& s = code_[i];
            if (s.what == codegen::opcode::output) needed_[first_ + i] = true;
            if (!needed_[first_ + i] || done_[first_ + i]) continue;
            complete = false;
            visit_operands(s, [&](std::size_t slot) { needed_[slot] = true; });
        }
        return !complete;
    }
    /// Whether instruction i runs now; marks it as done.
    constexpr bool runs(std::size_t i) {
        bool ready = needed_[first_ + i] && !done_[first_ + i];
        if (ready && reads_by_first(code_[i])) ready = done_[at(code_[i].a)];
        if (ready) visit_operands(code_[i], [&](std::size_t slot) { ready = ready && done_[slot]; });
        if (ready) done_[first_ + i] = true;
        return ready;
    }

private:
    const codegen::instruction* code_;
    const bool* conditions_ = nullptr;
    const T* values_ = nullptr;
    std::size_t first_, size_;
    bool done_[Slots] = {};
    bool needed_[Slots] = {};

    static constexpr std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

    // Whether that is a conjunction, or a disjunction: as in C++, the first operand may decide.
    static constexpr bool joins(const codegen::instruction& s, graph::relation by) {
        return s.what == codegen::opcode::condition && s.function == static_cast<unsigned char>(by);
    }
    static constexpr bool is_weighted(const codegen::instruction& s) {
        return s.what == codegen::opcode::call && s.function == functions::weighted::position;
    }
    // Whether the first operand determines which others are read.
    static constexpr bool reads_by_first(const codegen::instruction& s) {
        return s.what == codegen::opcode::select || is_weighted(s) || joins(s, graph::relation::conjunction) ||
               joins(s, graph::relation::disjunction);
    }

    // The operands of an instruction; for a select only the taken arm, with a share only if it is not 0, and of two
    // conditions the second only if the first does not decide, once known.
    template <class Visitor>
    constexpr void visit_operands(const codegen::instruction& s, Visitor visit) const {
        const int count = codegen::slots_read(s.what);
        if (count > 0) visit(at(s.a));
        if (s.what == codegen::opcode::select) {
            if (done_[at(s.a)]) visit(at(conditions_[at(s.a)] ? s.b : s.c));
            return;
        }
        if (is_weighted(s)) {
            if (done_[at(s.a)] && !(values_[at(s.a)] == T(0))) visit(at(s.b));
            return;
        }
        const bool is_disjunction = joins(s, graph::relation::disjunction);
        if (is_disjunction || joins(s, graph::relation::conjunction)) {
            if (done_[at(s.a)] && conditions_[at(s.a)] != is_disjunction) visit(at(s.b));
            return;
        }
        if (count > 1) visit(at(s.b));
        if (count > 2) visit(at(s.c));
    }
};

} // namespace chainrule::kernel
