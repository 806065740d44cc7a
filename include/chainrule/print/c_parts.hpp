// SPDX-License-Identifier: BSL-1.0
//
// The division of a long program into several C functions, since compilers take more than linear time for a long one:
// which instructions each has, and the places in memory through which numbers pass from one to another.
#pragma once

#include <chainrule/codegen/vectors.hpp>
#include <chainrule/print/program_writer.hpp>

namespace chainrule::detail {

template <class Code>
class c_parts : protected program_writer<Code> {
    using writer = program_writer<Code>;

protected:
    using writer::at;
    using writer::code_;
    using writer::names_;
    using writer::operand_count;
    using vector_opcode = codegen::vector_opcode;
    /// Whether the program may have instructions of codegen/vectors.hpp.
    static constexpr bool has_vectors = requires { Code::lanes; };

    constexpr c_parts(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        if (code.size <= names.instructions_of_function) return;
        parts_ = (code.size + names.instructions_of_function - 1) / names.instructions_of_function;
        find_last_uses();
        place_in_memory();
    }

    [[nodiscard]] constexpr int part_of(int instruction) const { return instruction / names_.instructions_of_function; }
    [[nodiscard]] constexpr int parts() const { return parts_; }
    /// How many numbers and how many vectors the functions exchange, at most at a time.
    [[nodiscard]] constexpr int memory() const { return memory_[0]; }
    [[nodiscard]] constexpr int memory_of_vectors() const { return memory_[1]; }
    /// The place of a slot there, or -1 where no other function reads it.
    [[nodiscard]] constexpr int place_in_memory_of(int slot) const { return parts_ == 1 ? -1 : place_.items[slot]; }
    [[nodiscard]] constexpr bool is_condition(int slot) const {
        return at(slot - code_.constant_count).what == opcode::condition;
    }
    [[nodiscard]] constexpr bool is_vector(int slot) const {
        if constexpr (has_vectors)
            return codegen::is_vector(codegen::vector_operation_of(at(slot - code_.constant_count)));
        else
            return false;
    }
    /// Whether an instruction only gives another name to slot a.
    [[nodiscard]] static constexpr bool is_name(const instruction& s) {
        if constexpr (has_vectors)
            if (codegen::vector_operation_of(s) == vector_opcode::copy) return true;
        return s.what == opcode::reload;
    }
    /// Calls visit(slot) for the slots that instruction i reads and that instructions write.
    template <class Visit>
    constexpr void each_operand(int i, Visit visit) const {
        const instruction s = at(i);
        const auto visit_source = [&](int slot) {
            if (const int source = source_of(slot); source >= code_.constant_count) visit(source);
        };
        if (is_name(s)) return;
        if (s.what == opcode::cosine_of_pair) return visit_source(angle_of(s));
        if constexpr (has_vectors)
            if (const auto what = codegen::vector_operation_of(s); what >= vector_opcode::arithmetic) {
                const int count = codegen::slots_read(what), operands[] = {s.a, s.b, s.c};
                for (int k = 0; k < count; ++k) visit_source(operands[k]);
                for (int k = what == vector_opcode::gather ? int{Code::lanes} : 0; k > 0; --k)
                    visit_source(code_.constant_count + i - k);
                return;
            }
        const int count = operand_count(s), operands[] = {s.a, s.b, s.c};
        for (int k = 0; k < count; ++k) visit_source(operands[k]);
    }
    /// The slot whose cosine an instruction cosine_of_pair computes.
    [[nodiscard]] constexpr int angle_of(const instruction& s) const { return at(s.a - code_.constant_count).a; }
    /// Where the number of a slot was computed.
    [[nodiscard]] constexpr int source_of(int slot) const { return parts_ == 1 ? slot : source_.items[slot]; }

private:
    int parts_ = 1, memory_[2] = {};
    list<int> source_, place_, last_use_; // by slot; the last part that reads it

    [[nodiscard]] static constexpr bool is_computed(const instruction& s) {
        if constexpr (has_vectors)
            if (codegen::vector_operation_of(s) == vector_opcode::store) return false;
        return s.what != opcode::variable && s.what != opcode::number && s.what != opcode::refresh &&
               s.what != opcode::output && !is_name(s);
    }
    constexpr void find_last_uses() {
        const int slots = code_.constant_count + code_.size;
        source_.resize(slots), place_.resize(slots, -1), last_use_.resize(slots, -1);
        for (int slot = 0; slot < slots; ++slot) source_.items[slot] = slot;
        for (int i = 0; i < code_.size; ++i) {
            if (const instruction s = at(i); is_name(s)) source_.items[code_.constant_count + i] = source_.items[s.a];
            each_operand(i, [&](int slot) { last_use_.items[slot] = part_of(i); });
        }
    }
    constexpr void place_in_memory() {
        list<int> free[2], released(parts_ + 1, -1), next(place_.count, -1);
        for (int i = 0, part = -1; i < code_.size; ++i) {
            if (part_of(i) != part) {
                part = part_of(i);
                if (part > 0)
                    for (int slot = released.items[part - 1]; slot >= 0; slot = next.items[slot])
                        free[is_vector(slot) ? 1 : 0].push_back(place_.items[slot]);
            }
            const int slot = code_.constant_count + i;
            if (!is_computed(at(i)) || last_use_.items[slot] <= part) continue;
            const int kind = is_vector(slot) ? 1 : 0;
            place_.items[slot] = free[kind].empty() ? memory_[kind]++ : free[kind].pop_back();
            next.items[slot] = released.items[last_use_.items[slot]];
            released.items[last_use_.items[slot]] = slot;
        }
    }
};

} // namespace chainrule::detail
