// SPDX-License-Identifier: BSL-1.0
//
// The division of a long program into several C functions, since compilers take more than linear time for a long one:
// which instructions each has, and the places in memory through which numbers pass from one to another.
#pragma once

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

    constexpr c_parts(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        if (code.size <= names.instructions_of_function) return;
        parts_ = (code.size + names.instructions_of_function - 1) / names.instructions_of_function;
        find_last_uses();
        place_in_memory();
    }

    [[nodiscard]] constexpr int part_of(int instruction) const { return instruction / names_.instructions_of_function; }
    [[nodiscard]] constexpr int parts() const { return parts_; }
    /// How many numbers the functions exchange, at most at a time.
    [[nodiscard]] constexpr int memory() const { return memory_; }
    /// The place of a slot there, or -1 where no other function reads it.
    [[nodiscard]] constexpr int place_in_memory_of(int slot) const { return parts_ == 1 ? -1 : place_.items[slot]; }
    [[nodiscard]] constexpr bool is_condition(int slot) const {
        return at(slot - code_.constant_count).what == operation::condition;
    }
    /// Calls visit(slot) for the slots that an instruction reads and that instructions write.
    template <class Visit>
    constexpr void each_operand(const instruction& s, Visit visit) const {
        const int count = operand_count(s), operands[] = {s.a, s.b, s.c};
        for (int k = 0; k < count; ++k)
            if (operands[k] >= code_.constant_count) visit(source_of(operands[k]));
    }
    /// Where the number of a slot was computed.
    [[nodiscard]] constexpr int source_of(int slot) const { return parts_ == 1 ? slot : source_.items[slot]; }

private:
    int parts_ = 1, memory_ = 0;
    list<int> source_, place_, last_use_; // by slot; the last part that reads it

    [[nodiscard]] constexpr bool is_computed(operation what) const {
        return what != operation::variable && what != operation::number && what != operation::refresh &&
               what != operation::reload && what != operation::output;
    }
    // Both results of sine_cosine come into being with it.
    [[nodiscard]] constexpr int part_of_slot(int slot) const {
        const int i = slot - code_.constant_count;
        return part_of(at(i).what == operation::cosine_of_pair ? i - 1 : i);
    }
    constexpr void find_last_uses() {
        const int slots = code_.constant_count + code_.size;
        source_.resize(slots), place_.resize(slots, -1), last_use_.resize(slots, -1);
        for (int slot = 0; slot < slots; ++slot) source_.items[slot] = slot;
        for (int i = 0; i < code_.size; ++i) {
            const instruction s = at(i);
            if (s.what == operation::reload) {
                source_.items[code_.constant_count + i] = source_.items[s.a];
                continue;
            }
            if (s.what == operation::cosine_of_pair) continue;
            each_operand(s, [&](int slot) { last_use_.items[slot] = part_of(i); });
        }
    }
    constexpr void place_in_memory() {
        list<int> free, released(parts_ + 1, -1), next(place_.count, -1);
        for (int i = 0, part = -1; i < code_.size; ++i) {
            if (part_of(i) != part) {
                part = part_of(i);
                if (part > 0)
                    for (int slot = released.items[part - 1]; slot >= 0; slot = next.items[slot])
                        free.push_back(place_.items[slot]);
            }
            const int slot = code_.constant_count + i;
            if (!is_computed(at(i).what) || last_use_.items[slot] <= part_of_slot(slot)) continue;
            place_.items[slot] = free.empty() ? memory_++ : free.pop_back();
            next.items[slot] = released.items[last_use_.items[slot]];
            released.items[last_use_.items[slot]] = slot;
        }
    }
};

} // namespace chainrule::detail
