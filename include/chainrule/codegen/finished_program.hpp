// SPDX-License-Identifier: BSL-1.0
//
// A finished program in arrays of fixed capacity: 64-bit instructions, and constants in the first slots. Its template
// arguments and its texts are made from it.
#pragma once

#include <chainrule/codegen/cost.hpp>
#include <chainrule/codegen/packed.hpp>
#include <chainrule/codegen/saved.hpp>

#include <array>
#include <cstddef>

namespace chainrule::codegen {

/// A program in arrays of fixed capacity.
template <int Capacity>
struct finished_program {
    int size = 0;
    int constant_count = 0;
    int output_count = 0;
    int pair_places = 0;
    bool conditional = false;
    bool relaxed = false;   // all outputs are
    int variable_count = 0; // inputs, those listed by the caller first
    int unused = -1;        // a listed input, other than the variables of differentiation, that does not occur, or -1
    int custom_function_count = 0;
    hash_value custom_functions[custom_function_limit]{};
    // Not a std::array: its operator would be evaluated for each template argument.
    packed body[static_cast<std::size_t>(2 * Capacity)]{};
    word_array<coefficient, Capacity> constants{};
    const int* address = &core::anchor;

    // Slots are numbered in 16 bits.
    [[nodiscard]] constexpr bool complete() const {
        return size <= 2 * Capacity && constant_count <= Capacity && size + constant_count < 65536;
    }
};

/// Passes the instructions of a program to put(), with constants in the first slots.
template <class Put>
constexpr void number_slots(const code& c, Put put) {
    const instruction* const body = c.body.begin();
    list<int> places(c.body.count, 0);
    int* const place = places.begin();
    int next = c.constants.size();
    for (int i = 0; i < c.body.count; ++i) {
        instruction s = body[i];
        if (s.what == opcode::constant) {
            place[i] = s.a;
            continue;
        }
        place[i] = next++;
        const int operands = slots_read(s.what);
        if (operands > 0) s.a = place[s.a];
        if (operands > 1) s.b = place[s.b];
        if (operands > 2) s.c = place[s.c];
        put(s);
    }
}

template <int Capacity>
[[nodiscard]] constexpr finished_program<Capacity> pack(const compilation& made) {
    const code& c = made.made;
    finished_program<Capacity> f;
    f.variable_count = made.derived.variable_count;
    f.unused = made.derived.unused;
    f.output_count = made.output_count;
    for (const custom_function_entry& e : made.derived.g.custom_functions)
        f.custom_functions[f.custom_function_count++] = e.hash;
    f.constant_count = c.constants.size();
    f.pair_places = c.pair_places;
    f.conditional = c.conditional;
    f.relaxed = made.derived.relaxed;
    number_slots(c, [&](const instruction& s) {
        if (f.size < 2 * Capacity) f.body[static_cast<std::size_t>(f.size)] = pack(s);
        ++f.size;
    });
    f.constants.fill(c.constants);
    return f;
}

/// Which of so many outputs, from `first` on, are zero for every input.
template <std::size_t Count, int Capacity>
[[nodiscard]] constexpr std::array<bool, Count> zero_outputs(const finished_program<Capacity>& f, std::size_t first) {
    int zero = 0;
    while (zero < f.constant_count && !f.constants[static_cast<std::size_t>(zero)].is_zero()) ++zero;
    std::array<bool, Count> found{};
    if (zero == f.constant_count) return found;
    for (int i = 0; i < f.size; ++i) {
        const instruction output = unpack(f.body[static_cast<std::size_t>(i)]);
        if (output.what == opcode::output && output.a == zero && static_cast<std::size_t>(output.b) >= first)
            found[static_cast<std::size_t>(output.b) - first] = true;
    }
    return found;
}

/// Fewer zeros of a matrix are written by its program: it may stay in registers.
inline constexpr std::size_t fewest_zeros_filled = 32;
/// Whether a matrix with so many elements that are zero for every input is filled with zeros first: at least half. (A
/// tridiagonal one of ten rows takes 0.75 of the time.)
[[nodiscard]] constexpr bool is_filled_with_zeros(std::size_t zeros, std::size_t elements) {
    return zeros >= fewest_zeros_filled && 2 * zeros >= elements;
}

/// Runs the remaining passes and returns the program. The saved states contain no other parts than `Parts`.
template <int Capacity = 1 << 16, unsigned Parts = parts::all, int Words>
[[nodiscard]] constexpr finished_program<Capacity> finish(const saved_state<Words>& from) {
    compilation c;
    read<Parts>(from, parts_read(from.next, pass_count) | parts::inputs | parts::instructions, c);
    run_passes(c, from.next);
    return pack<Capacity>(c);
}

/// The size of a graph up to which all passes on it are one evaluation.
#if defined(__clang__)
inline constexpr int nodes_at_once = 600;
#else
inline constexpr int nodes_at_once = 1600;
#endif

/// Runs all passes on a problem and returns the program, which is not complete if the graph is larger, or the problem
/// is not, or if its values may be computed in another form.
template <int Nodes = nodes_at_once>
[[nodiscard]] constexpr finished_program<2 * Nodes> finish_at_once(problem&& p) {
    if (!p.too_large && p.sweep.next < 0 && !p.g.is_marked() &&
        p.g.size() + 2 * p.g.coefficients.magnitudes.count <= Nodes) {
        compilation c(static_cast<problem&&>(p));
        if (run_passes(c, 0) == pass_count) return pack<2 * Nodes>(c);
    }
    finished_program<2 * Nodes> incomplete;
    incomplete.size = 1 << 16;
    return incomplete;
}

/// Runs the remaining passes and returns the cost of the program.
template <unsigned Parts = parts::all, int Words>
[[nodiscard]] constexpr int cost_after(const saved_state<Words>& from) {
    compilation c;
    read<Parts>(from, parts_read(from.next, pass_count) | parts::inputs | parts::instructions, c);
    run_passes(c, from.next);
    return cost_of(c.made);
}

} // namespace chainrule::codegen
