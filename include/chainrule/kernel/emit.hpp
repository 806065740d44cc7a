// SPDX-License-Identifier: BSL-1.0
//
// Turns a program into machine code. Its packed instructions are template arguments of one function, which expands each
// into one assignment. All temporaries are in one local array, which the compiler splits into registers because every
// index is a constant.
#pragma once

#include <chainrule/codegen/call_groups.hpp>
#include <chainrule/kernel/demand_order.hpp>
#include <chainrule/kernel/emit_dual_numbers.hpp>
#include <chainrule/kernel/emit_tangents.hpp>
#include <chainrule/kernel/emit_vectors.hpp>

#include <cstddef>
#include <utility>

namespace chainrule {

template <class... Constants, int PairPlaces, bool Conditional, bool Relaxed, codegen::packed... I, class Own>
struct codegen::packed_program<codegen::constant_slots<Constants...>,
                               codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own> {
    /// Runs the program, on dual numbers in vectors if it may. (Slots are counted instead of listed in a pack: debug
    /// information would write out the pack.)
    template <class T, bool InVectors = true, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static constexpr void run([[maybe_unused]] Variables variables, [[maybe_unused]] Numbers numbers,
                                               [[maybe_unused]] Outputs& outputs) {
        constexpr bool on_dual_numbers = InVectors && runs_on_dual_numbers<T, Numbers>();
        if constexpr (on_dual_numbers) {
            if (__builtin_is_constant_evaluated() || !run_on_dual_numbers<T>(variables, numbers, outputs))
                kernel::run_copies_apart<packed_program, T>(variables, numbers, outputs);
        }
        if constexpr (Relaxed && kernel::lanes_of_calls<T> > 0 && int{count} <= most_instructions_packed) {
            if constexpr (grouped<kernel::lanes_of_calls<T>>.size > 0)
                if (!__builtin_is_constant_evaluated())
                    return run_vectors<T>(body_of<kernel::lanes_of_calls<T>, true>(), variables, numbers, outputs);
        }
        constexpr int lanes = lanes_for<T, Variables>();
        if constexpr (lanes > 0)
            run_vectors<T>(body_of<lanes, false>(), variables, numbers, outputs);
        else if constexpr (!on_dual_numbers) {
            constexpr std::size_t first = sizeof...(Constants), size = sizeof...(I);
            kernel::slot_array<T, first + size + 1> slots;
            // The results of sincos are in a separate array and stay in memory until they are used: an array whose
            // address is passed on cannot be split into registers.
            kernel::slot_array<T, static_cast<std::size_t>(PairPlaces + 1)> pairs;
            using condition = typename kernel::condition_of<T, Conditional>::type;
            kernel::slot_array<condition, Conditional ? first + size + 1 : 1> conditions;
            auto& v = slots.values;
            // Array elements are initialized in order; a fold expression would nest as deep as the program is long.
            std::size_t slot = 0;
            [[maybe_unused]] const int constants[] = {0, (v[slot] = Constants::template as<T>(), ++slot, 0)...};
            const kernel::execution_context<T, condition, Variables, Numbers, Outputs> context{
                pairs.values, conditions.values, variables,
                numbers,      outputs,           kernel::are_stored_alone<Outputs>(sizeof...(I))};
            if constexpr (Conditional && std::same_as<condition, bool>) {
                if (__builtin_is_constant_evaluated()) {
                    const instruction body[] = {unpack(I)...};
                    kernel::demand_order<T, first + size> order(body, first, size);
                    while (order.begin(conditions.values, v)) {
                        slot = first;
                        [[maybe_unused]] const int executed[] = {
                            (order.runs(slot - first)
                                 ? kernel::step<static_cast<unsigned>(I & 255), static_cast<unsigned>(I >> 8 & 255),
                                                Own>(v, slot, I, context)
                                 : void(),
                             ++slot, 0)...};
                    }
                    return;
                }
            }
            [[maybe_unused]] const int executed[] = {
                0, (kernel::step<static_cast<unsigned>(I & 255), static_cast<unsigned>(I >> 8 & 255), Own>(v, slot++, I,
                                                                                                           context),
                    0)...};
        }
    }

    /// The steps of the program on numbers with tangents (codegen/tangent_program.hpp). With unit seeds, it is that of
    /// a gradient, whose entries are the outputs from `Before` on.
    template <int Columns, int Lanes, int Before, seeds From>
    static consteval auto tangents_for() {
        constexpr int slots = static_cast<int>(sizeof...(Constants)) + count,
                      steps = count * (1 + group_count(Columns, Lanes));
        constexpr bool fit = (!Conditional || From != seeds::unit) && Columns <= most_tangents &&
                             steps <= (From == seeds::unit ? most_tangent_steps : most_dual_steps);
        tangent_program<fit ? slots : 0, fit ? steps : 0> made;
        if constexpr (fit) {
            if constexpr (From == seeds::unit) {
                constexpr bool have_tangents[] = {kernel::has_tangents<(I & 65535)>()...};
                for (const bool has : have_tangents)
                    if (!has) return made;
            }
            constexpr packed body[] = {I...};
            tangent_writing<slots, steps>(body, count, static_cast<int>(sizeof...(Constants)), Columns, Lanes, Before,
                                          From)
                .write(made);
        }
        return made;
    }
    template <int Columns, int Lanes, int Before, seeds From = seeds::unit>
    static constexpr auto tangents = tangents_for<Columns, Lanes, Before, From>();
    /// Runs these, and also writes the Hessian.
    template <class T, int Columns, int Lanes, int Before, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static void run_with_tangents(Variables variables, Numbers numbers, Outputs& outputs, T* hessian) {
        constexpr const auto& program = tangents<Columns, Lanes, Before>;
        run_steps<T, Lanes, program, kernel::tangent_context<T, Lanes, Columns>>(
            std::make_index_sequence<static_cast<std::size_t>(program.size)>{}, variables, numbers, outputs,
            program.moving, hessian);
        kernel::mirror<T, Columns>(hessian);
    }

    /// Whether it runs on dual numbers D in vectors.
    template <class D, class Numbers>
    static consteval bool runs_on_dual_numbers() {
        if constexpr (kernel::lanes_of_tangents<D>() == 0) {
            return false;
        } else {
            constexpr auto from = kernel::seeds_of<D, Numbers>;
            return tangents<kernel::tangent_count<D>, kernel::lanes_of_tangents<D>(), 0, from>.size > 0;
        }
    }
    /// Runs it so. Returns false if derivatives are not finite, since zeros beside them are lost.
    template <class D, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static bool run_on_dual_numbers(Variables variables, Numbers numbers, Outputs& outputs) {
        using T = decltype(D::value);
        constexpr int lanes = kernel::lanes_of_tangents<D>(), columns = kernel::tangent_count<D>;
        constexpr auto from = kernel::seeds_of<D, Numbers>;
        constexpr const auto& program = tangents<columns, lanes, 0, from>;
        kernel::values_of_duals<D, Variables> values{variables};
        kernel::values_of_duals<D, Numbers> values_of_numbers{numbers};
        kernel::slot_array<T, 3 * (sizeof...(Constants) + sizeof...(I))> slopes;
        kernel::vector_of<T, lanes> zero{};
        run_steps<T, lanes, program, kernel::dual_context<D, lanes, from, Variables, Numbers, Outputs>>(
            std::make_index_sequence<static_cast<std::size_t>(program.size)>{}, values, values_of_numbers, outputs,
            slopes.values, &zero, variables, numbers, outputs);
        return kernel::are_zero(zero);
    }

private:
    // A program with conditions is not packed: its order of constant evaluation is not that of its instructions.
    enum : int {
        count = sizeof...(I),
        capacity = count + count / 2,
        fits = !Conditional && int{count} >= fewest_instructions_packed && int{count} <= most_instructions_packed
    };
    template <int Lanes>
    static consteval vector_program<capacity> packed_for() {
        constexpr packed body[] = {I...};
        return pack_into_vectors<int{capacity}>(Lanes, body, count, sizeof...(Constants));
    }
    template <int Lanes>
    static constexpr auto vectors = packed_for<Lanes>();
    /// The lanes of the vectors on which numbers of type T are computed, or 0.
    template <class T, class Variables>
    static consteval int lanes_for() {
        if constexpr (fits && kernel::takes_vectors<T, Variables>) {
            if constexpr (vectors<kernel::vector_lanes<T>>.size > 0) return kernel::vector_lanes<T>;
        }
        return 0;
    }
    template <int Lanes>
    static consteval vector_program<capacity> grouped_for() {
        constexpr packed body[] = {I...};
        return group_calls<Lanes, int{capacity}>(body, count, sizeof...(Constants));
    }
    template <int Lanes>
    static constexpr auto grouped = grouped_for<Lanes>();
    template <int Lanes, bool Grouped>
    static constexpr auto body_of() {
        constexpr const auto& program = []() -> const auto& {
            if constexpr (Grouped)
                return grouped<Lanes>;
            else
                return vectors<Lanes>;
        }();
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return vector_body<Lanes, program.body[K]...>{};
        }(std::make_index_sequence<static_cast<std::size_t>(program.size)>{});
    }
    template <class T, int Lanes, const auto& Program, class Context, std::size_t... K, class Variables, class Numbers,
              class Outputs, class... Further>
    CHAINRULE_KERNEL static void run_steps(std::index_sequence<K...>, Variables& variables, Numbers& numbers,
                                           Outputs& outputs, Further&&... further) {
        constexpr std::size_t slots = sizeof...(Constants) + sizeof...(I);
        kernel::slot_array<T, slots> numbers_of_slots;
        kernel::vector_of<T, Lanes> tangents_of_slots[slots * Context::groups];
        kernel::slot_array<T, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        kernel::slot_array<bool, Conditional ? slots : 1> conditions;
        auto& v = numbers_of_slots.values;
        std::size_t slot = 0;
        [[maybe_unused]] const int constants[] = {0, (v[slot] = Constants::template as<T>(), ++slot, 0)...};
        const kernel::execution_context<T, bool, Variables, Numbers, Outputs> context{
            pairs.values, conditions.values, variables,
            numbers,      outputs,           kernel::are_stored_alone<Outputs>(sizeof...(I))};
        const Context moving{v, pairs.values, conditions.values, tangents_of_slots, further...};
        [[maybe_unused]] const int executed[] = {
            (kernel::tangent_step<static_cast<unsigned>(Program.instructions[K] & 65535),
                                  tangent_tag::instance_of(Program.tags[K]), Own, Lanes>(
                 v, context, moving, Program.instructions[K], Program.tags[K]),
             0)...};
    }
    template <class T, int Lanes, packed... J, class Variables, class Numbers, class Outputs>
    CHAINRULE_KERNEL static constexpr void run_vectors(vector_body<Lanes, J...>, Variables& variables, Numbers& numbers,
                                                       Outputs& outputs) {
        constexpr std::size_t slots = sizeof...(Constants) + sizeof...(J);
        kernel::slot_array<T, slots> numbers_of_slots;
        kernel::vector_array<T, Lanes, slots> vectors_of_slots;
        kernel::slot_array<T, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        kernel::slot_array<bool, Conditional ? slots : 1> conditions;
        auto& v = numbers_of_slots.values;
        std::size_t slot = 0;
        [[maybe_unused]] const int constants[] = {0, (v[slot] = Constants::template as<T>(), ++slot, 0)...};
        const kernel::execution_context<T, bool, Variables, Numbers, Outputs> context{
            pairs.values, conditions.values, variables,
            numbers,      outputs,           kernel::are_stored_alone<Outputs>(sizeof...(I))};
        [[maybe_unused]] const int executed[] = {
            (kernel::vector_step<Lanes, instance_of(J), Own>(v, vectors_of_slots, slot++, J, context), 0)...};
    }
};

namespace kernel {

/// What runs a program: the program itself, since a class of its own would repeat its name in debug information.
template <class Program>
using runner = Program;

} // namespace kernel

} // namespace chainrule
