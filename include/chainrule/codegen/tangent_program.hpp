// SPDX-License-Identifier: BSL-1.0
//
// Programs on numbers with tangents, in vectors: each instruction also computes the derivatives of its result. In the
// program of a gradient, the tangents of its entries with respect to the variables are the rows of the Hessian (forward
// over reverse). Programs run on dual numbers in the same way. kernel/emit_tangents.hpp turns these programs into
// machine code.
#pragma once

#include <chainrule/codegen/packed.hpp>
#include <chainrule/core/list.hpp>

#include <cstddef>
#include <cstdint>

namespace chainrule::codegen {

/// Variables, one bit for each. Those of one vector are a group.
using variable_set = std::uint64_t;
inline constexpr int most_tangents = 64;
/// Longer programs have none: clang limits the steps of a constant evaluation.
inline constexpr int most_tangent_steps = 1 << 14;
/// And of programs on dual numbers, whose compile time would grow more than their run time shrinks.
inline constexpr int most_dual_steps = 1 << 11;

/// The groups of so many variables in vectors of so many lanes.
[[nodiscard]] constexpr int group_count(int columns, int lanes) { return (columns + lanes - 1) / lanes; }

/// Where tangents begin.
enum class seeds : unsigned char {
    unit,              // with those of the variables: one each
    of_inputs,         // with those that dual numbers have, which are inputs
    of_inputs_and_data // or stored numbers
};

/// What is known of a tangent, a vector, when the program compiles.
enum class tangent_kind : unsigned char {
    zero,    // the operand does not depend on the variables of the group
    unit,    // it is one of them
    partial, // it depends on fewer of them than the result: the other lanes must stay zero, even if a slope is infinite
    full
};

/// A step is an instruction of the program itself, or computes its tangents with respect to a group. This is what it
/// needs besides the instruction, in one word.
struct tangent_tag {
    int slot = 0, group = 0;
    bool computes_tangents = false;
    tangent_kind of[3] = {}; // the operands' tangents

    constexpr std::uint32_t pack() const {
        const auto bits = [](auto x) { return static_cast<std::uint32_t>(x); };
        return bits(slot) | bits(group) << 16 | bits(computes_tangents) << 21 | bits(of[0]) << 22 | bits(of[1]) << 24 |
               bits(of[2]) << 26;
    }
    static constexpr tangent_tag unpack(std::uint32_t tag) {
        const auto kind = [tag](int k) { return static_cast<tangent_kind>(tag >> (22 + 2 * k) & 3); };
        return {static_cast<int>(tag & 65535),
                static_cast<int>(tag >> 16 & 31),
                (tag >> 21 & 1) != 0,
                {kind(0), kind(1), kind(2)}};
    }
    /// The part that a template is an instance for.
    static constexpr unsigned instance_of(std::uint32_t tag) { return tag >> 21; }
};

/// The steps of a program with `Slots` slots. In a step that computes tangents, reload reads slot a of the angle; c is
/// 0 for its sine and 1 for its cosine. With unit seeds, output b is row b of the Hessian; with others, one step writes
/// all groups of an output and its value.
template <int Slots, int Capacity>
struct tangent_program {
    int size = 0;       // 0 if the program has no tangents, or too many
    int operations = 0; // on vectors
    packed instructions[static_cast<std::size_t>(Capacity < 1 ? 1 : Capacity)]{};
    std::uint32_t tags[static_cast<std::size_t>(Capacity < 1 ? 1 : Capacity)]{};
    variable_set moving[static_cast<std::size_t>(Slots < 1 ? 1 : Slots)]{}; // the variables on which slots depend
    const int* address = &core::anchor;
};

/// Writes the steps of a program. With unit seeds, it is that of a gradient, whose entries are the outputs from
/// `before` on.
template <int Slots, int Capacity>
class tangent_writing {
public:
    constexpr tangent_writing(const packed* body, int size, int constants, int columns, int lanes, int before,
                              seeds from = seeds::unit)
        : body_(body), size_(size), first_(constants), columns_(columns), lanes_(lanes), before_(before), from_(from) {}

    constexpr void write(tangent_program<Slots, Capacity>& to) {
        for (int k = 0; k < size_; ++k) to.moving[first_ + k] = moving(to, unpack(body_[k]));
        for (int k = size_; k-- > 0;) demand(to, k);
        for (int k = 0; k < size_; ++k) {
            const instruction i = unpack(body_[k]);
            if (i.what == opcode::output && from_ != seeds::unit) {
                add_tangents(to, i, first_ + k, 0);
                continue;
            }
            add(to, body_[k], {.slot = first_ + k});
            if (i.what == opcode::variable && from_ == seeds::unit) continue; // they are known where they are read
            for (int g = 0; g < groups(); ++g)
                if ((needed_[first_ + k] >> g & 1) != 0) add_tangents(to, i, first_ + k, g);
        }
    }

private:
    const packed* body_;
    int size_, first_, columns_, lanes_, before_;
    seeds from_;
    std::uint32_t needed_[static_cast<std::size_t>(Slots < 1 ? 1 : Slots)]{}; // the groups that the Hessian needs

    constexpr int groups() const { return group_count(columns_, lanes_); }
    constexpr variable_set set_of(int group) const {
        const int from = group * lanes_, count = columns_ - from < lanes_ ? columns_ - from : lanes_;
        return ((variable_set{1} << count) - 1) << from;
    }
    constexpr instruction in_slot(int slot) const { return unpack(body_[slot - first_]); }
    constexpr bool is_cosine(const instruction& reload) const {
        return in_slot(reload.a).what == opcode::cosine_of_pair;
    }
    constexpr int operand_count(const instruction& i) const {
        return i.what == opcode::reload ? 1 : slots_read(i.what);
    }
    constexpr int operand(const instruction& i, int k) const {
        if (i.what != opcode::reload) return k == 0 ? i.a : k == 1 ? i.b : i.c;
        const instruction pair = in_slot(i.a);
        return pair.what == opcode::cosine_of_pair ? in_slot(pair.a).a : pair.a;
    }

    constexpr variable_set moving(const tangent_program<Slots, Capacity>& program, const instruction& i) const {
        if (i.what == opcode::variable && from_ == seeds::unit) return i.a < columns_ ? variable_set{1} << i.a : 0;
        if (i.what == opcode::variable || (i.what == opcode::number && from_ == seeds::of_inputs_and_data))
            return ~variable_set{0};
        if (i.what == opcode::condition) return 0;
        variable_set all = 0;
        if (i.what != opcode::sine_cosine && i.what != opcode::cosine_of_pair) // read by reload only
            for (int k = 0; k < operand_count(i); ++k) all |= program.moving[operand(i, k)];
        return all;
    }
    // A row of the Hessian needs the entries from the diagonal on, and the tangents of a result those of its operands.
    constexpr void demand(const tangent_program<Slots, Capacity>& program, int k) {
        const instruction i = unpack(body_[k]);
        std::uint32_t& needed = needed_[first_ + k];
        if (i.what == opcode::output && i.b >= before_)
            for (int g = from_ == seeds::unit ? (i.b - before_) / lanes_ : 0; g < groups(); ++g) needed |= 1u << g;
        if (needed == 0) return;
        for (int o = 0; o < operand_count(i); ++o) {
            const int from = operand(i, o);
            for (int g = 0; g < groups(); ++g)
                if ((program.moving[from] & set_of(g)) != 0) needed_[from] |= needed & 1u << g;
        }
    }
    constexpr void add_tangents(tangent_program<Slots, Capacity>& to, instruction i, int slot, int group) {
        const bool is_output = i.what == opcode::output;
        const variable_set lanes = is_output ? set_of(group) : to.moving[slot] & set_of(group);
        tangent_tag tag{.slot = slot, .group = group, .computes_tangents = true};
        for (int o = 0; o < operand_count(i); ++o) {
            const int from = operand(i, o);
            const variable_set read = to.moving[from] & set_of(group);
            const bool is_variable = from_ == seeds::unit && from >= first_ && in_slot(from).what == opcode::variable;
            tag.of[o] = read == 0       ? tangent_kind::zero
                        : is_variable   ? tangent_kind::unit
                        : read != lanes ? tangent_kind::partial
                                        : tangent_kind::full;
            if (read != 0) to.operations += tag.of[o] == tangent_kind::full ? 1 : 2;
        }
        if (is_output) i.b -= before_;
        if (i.what == opcode::reload) {
            i.c = is_cosine(i) ? 1 : 0;
            i.a = operand(i, 0);
        }
        add(to, pack(i), tag);
    }
    constexpr void add(tangent_program<Slots, Capacity>& to, packed i, const tangent_tag& tag) {
        to.instructions[to.size] = i;
        to.tags[to.size++] = tag.pack();
    }
};

} // namespace chainrule::codegen
