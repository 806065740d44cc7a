// SPDX-License-Identifier: BSL-1.0
//
// Runs a program in two parts: the first in the forward pass, the second in the reverse pass, or once for each
// direction. The second part has the weights or the direction; the first hands it the values that it needs and that
// cost more to compute again than to keep.
#pragma once

#include <chainrule/codegen/packed.hpp>
#include <chainrule/kernel/emit.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace chainrule::stepping {

/// Where an instruction runs. One that runs in both computes its value again.
enum class part : unsigned char { first, second, both };

/// The parts of a program with so many slots.
template <std::size_t Slots>
struct division {
    std::array<part, Slots> of{};
    std::array<bool, Slots> wanted{}; // by the second part
    std::array<int, Slots> kept{};    // the number under which a slot is kept, or -1
    std::size_t kept_count = 0;
};

/// Divides a program: inputs from `late_input` on and outputs from `late_output` on belong to the second part.
class division_of_program {
public:
    template <std::size_t Count>
    [[nodiscard]] static constexpr auto of(const codegen::instruction (&body)[Count], std::size_t first, int late_input,
                                           int late_output) {
        using codegen::opcode;
        division<2 * Count + 64> all;
        const auto is_early = [&](int slot) {
            return slot < static_cast<int>(first) || all.of[static_cast<std::size_t>(slot)] != part::second;
        };
        for (std::size_t n = 0; n < Count; ++n) {
            const codegen::instruction& i = body[n];
            const int operands[] = {i.a, i.b, i.c};
            bool late =
                (i.what == opcode::variable && i.a >= late_input) || (i.what == opcode::output && i.b >= late_output);
            for (int k = 0; k < codegen::slots_read(i.what) && i.what != opcode::output; ++k)
                late = late || !is_early(operands[k]);
            all.of[first + n] = i.what == opcode::refresh ? part::both : late ? part::second : part::first;
        }
        // Backwards: what the second part reads. Conditions are not numbers, and are compared again.
        for (std::size_t n = Count; n-- > 0;) {
            const codegen::instruction& i = body[n];
            const std::size_t slot = first + n;
            if (all.of[slot] == part::first && all.wanted[slot] &&
                (i.what == opcode::condition || i.what == opcode::variable || i.what == opcode::number))
                all.of[slot] = part::both;
            if (all.of[slot] == part::first) continue;
            const int operands[] = {i.a, i.b, i.c};
            for (int k = 0; k < codegen::slots_read(i.what); ++k)
                all.wanted[static_cast<std::size_t>(operands[k])] = true;
        }
        // Forwards: what a few sums and products make of numbers that are there is computed again; the rest is kept.
        constexpr int most = 3, too_many = 1000;
        std::array<int, 2 * Count + 64> operations{}; // that compute a slot again
        for (std::size_t n = 0; n < Count; ++n) {
            const codegen::instruction& i = body[n];
            const std::size_t slot = first + n;
            all.kept[slot] = -1;
            if (all.of[slot] != part::first) continue;
            const int operands[] = {i.a, i.b, i.c};
            const bool reads = i.what == opcode::variable || i.what == opcode::number;
            int& needed = operations[slot];
            needed = reads ? 0 : is_cheap(i.what) ? 1 : too_many;
            for (int k = 0; k < codegen::slots_read(i.what); ++k)
                needed += operations[static_cast<std::size_t>(operands[k])];
            if (needed > too_many) needed = too_many;
            if (!all.wanted[slot]) continue;
            if (needed > most) all.kept[slot] = static_cast<int>(all.kept_count++);
            if (needed <= most) all.of[slot] = part::both;
            needed = 0;
        }
        // Backwards again: with a result that is computed again, what it is computed from.
        for (std::size_t n = Count; n-- > 0;) {
            const codegen::instruction& i = body[n];
            const std::size_t slot = first + n;
            if (all.of[slot] == part::first || i.what == opcode::output) continue;
            const int operands[] = {i.a, i.b, i.c};
            for (int k = 0; k < codegen::slots_read(i.what); ++k) {
                const auto operand = static_cast<std::size_t>(operands[k]);
                if (operand >= first && all.of[operand] == part::first && all.kept[operand] < 0)
                    all.of[operand] = part::both;
            }
        }
        return all;
    }

private:
    static constexpr bool is_cheap(codegen::opcode what) {
        const auto as = codegen::row_of(what).as;
        return as == codegen::counted::addition || as == codegen::counted::multiplication ||
               as == codegen::counted::negation || as == codegen::counted::fused;
    }
};

template <class Program, int LateInput, int LateOutput>
struct two_parts;
template <class... Constants, int PairPlaces, bool Conditional, bool Relaxed, codegen::packed... I, class Own,
          int LateInput, int LateOutput>
struct two_parts<codegen::packed_program<codegen::constant_slots<Constants...>,
                                         codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own>,
                 LateInput, LateOutput> {
    static constexpr std::size_t first = sizeof...(Constants), count = sizeof...(I), slots = first + count + 1;
    static constexpr auto parts = [] {
        const codegen::instruction body[] = {codegen::unpack(I)...};
        return division_of_program::of(body, first, LateInput, LateOutput);
    }();
    /// How many numbers the first part hands to the second.
    static constexpr std::size_t kept = parts.kept_count;

    template <class T, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static constexpr void run_first(Variables variables, Numbers numbers, Outputs& outputs, T* to) {
        run<part::first>(variables, numbers, outputs, to, std::make_index_sequence<first>{},
                         std::make_index_sequence<count>{});
    }
    template <class T, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static constexpr void run_second(Variables variables, Numbers numbers, Outputs& outputs,
                                                      const T* from) {
        run<part::second>(variables, numbers, outputs, from, std::make_index_sequence<first>{},
                          std::make_index_sequence<count>{});
    }

private:
    template <part Part, class T, class Variables, class Numbers, class Outputs, std::size_t... C, std::size_t... N>
    CHAINRULE_STEP static constexpr void run(Variables& variables, Numbers& numbers, Outputs& outputs, T* kept_numbers,
                                             std::index_sequence<C...>, std::index_sequence<N...>) {
        using number = std::remove_const_t<T>;
        kernel::slot_array<number, slots> v;
        kernel::slot_array<number, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        using condition = typename kernel::condition_of<number, Conditional>::type;
        kernel::slot_array<condition, Conditional ? slots : 1> conditions;
        [[maybe_unused]] const int constants[] = {0, (v.values[C] = Constants::template as<number>(), 0)...};
        const kernel::execution_context<number, condition, Variables, Numbers, Outputs> context{
            pairs.values, conditions.values, variables, numbers, outputs};
        [[maybe_unused]] const int executed[] = {0, (step<Part, N, I>(v.values, context, kept_numbers), 0)...};
    }
    template <part Part, std::size_t N, codegen::packed P, class V, class Around, class T>
    CHAINRULE_STEP static constexpr void step(V* v, const Around& context, [[maybe_unused]] T* kept_numbers) {
        constexpr std::size_t slot = first + N;
        constexpr part its = parts.of[slot];
        if constexpr (its == Part || its == part::both)
            kernel::step<static_cast<unsigned>(P & 255), static_cast<unsigned>(P >> 8 & 255), Own>(v, slot, P, context);
        if constexpr (parts.kept[slot] >= 0) {
            if constexpr (Part == part::first)
                kept_numbers[parts.kept[slot]] = v[slot];
            else
                v[slot] = kept_numbers[parts.kept[slot]];
        }
    }
};

} // namespace chainrule::stepping
