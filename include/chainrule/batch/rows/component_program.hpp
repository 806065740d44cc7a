// SPDX-License-Identifier: BSL-1.0
//
// A program of a row and of a component, in three parts. The first computes, once, what depends on the component alone;
// the second, for each row, the terms of its derivatives; the third, once, what is linear in these terms, from their
// sums. So Q^T v is computed from the sum of v, and not for every row. batch/sum_over_components.hpp runs it.
#pragma once

#include <chainrule/batch/rows/split_runner.hpp>
#include <chainrule/codegen/compile.hpp>

#include <array>

namespace chainrule::batches {

/// The parts of a program.
enum class part : unsigned char { component, row, sums };

/// Which part each instruction is in, and the slots that one part hands to the next.
template <std::size_t Slots>
struct parts_of_program {
    std::array<part, Slots> of{};
    std::array<std::size_t, Slots> kept{}, terms{}; // from the component to the rows, from the rows to the sums
    std::array<bool, Slots> weighted{}; // of a term: it is the slot times the weight; else: the sum of such terms
    std::size_t kept_count = 0, term_count = 0;
    bool is_possible = true; // no slot is a term both as it is and times the weight

    constexpr void keep(std::size_t slot) { add(kept, kept_count, slot); }
    constexpr void sum(std::size_t slot) { add(terms, term_count, slot); }

private:
    static constexpr void add(std::array<std::size_t, Slots>& all, std::size_t& count, std::size_t slot) {
        for (std::size_t k = 0; k < count; ++k)
            if (all[k] == slot) return;
        all[count++] = slot;
    }
};

/// Divides a program into parts. `Linear`: outputs are linear in what the rows compute, and their sums are wanted.
/// Where w is the weight of a row, the sum of w * (Q^T v) is Q^T times the sum of w * v.
template <class Places, bool Linear>
class division_into_parts {
public:
    template <std::size_t Count>
    [[nodiscard]] static constexpr auto of(const codegen::instruction (&body)[Count], std::size_t first) {
        auto shared = dependence<Places>::of(body, static_cast<int>(first));
        // Conditions are not numbers, which alone are handed on.
        for (std::size_t n = 0; n < Count; ++n) {
            const int operands[] = {body[n].a, body[n].b, body[n].c};
            if (body[n].what == codegen::opcode::condition) shared[n] = false;
            for (int k = 0; k < codegen::slots_read(body[n].what); ++k) {
                const auto slot = static_cast<std::size_t>(operands[k]);
                if (slot >= first && !shared[slot - first]) shared[n] = false;
            }
        }
        const auto plain = divided(body, first, shared, false);
        if constexpr (Linear) {
            // Sums may be more numerous than outputs: then there must be as many instructions less.
            const auto late = divided(body, first, shared, true);
            std::size_t saved = 0;
            for (std::size_t n = 0; n < Count; ++n)
                saved += late.of[first + n] == part::sums && plain.of[first + n] != part::sums ? 1u : 0u;
            if (late.is_possible && late.term_count <= plain.term_count + saved) return late;
        }
        return plain;
    }

private:
    // Whether an instruction is linear in slots that depend on rows, without a constant term.
    template <class Shared>
    static constexpr bool is_linear(const codegen::instruction& i, const Shared& is_shared) {
        using codegen::opcode;
        switch (i.what) {
        case opcode::negate: return true;
        case opcode::add:
        case opcode::subtract: return !is_shared(i.a) && !is_shared(i.b);
        case opcode::multiply: return is_shared(i.a) != is_shared(i.b);
        case opcode::divide: return !is_shared(i.a) && is_shared(i.b);
        case opcode::multiply_add:
        case opcode::multiply_subtract:
        case opcode::negative_multiply_add:
        case opcode::negative_multiply_subtract: return is_shared(i.a) != is_shared(i.b) && !is_shared(i.c);
        default: return false;
        }
    }

    template <std::size_t Count>
    static constexpr auto divided(const codegen::instruction (&body)[Count], std::size_t first,
                                  const std::array<bool, Count>& shared, bool late) {
        using codegen::opcode;
        constexpr std::size_t most = 2 * Count + 64;
        parts_of_program<most> all;
        const auto is_shared = [&](int slot) {
            const auto at = static_cast<std::size_t>(slot);
            return at < first || shared[at - first];
        };
        const auto is_weight = [&](int slot) {
            const auto at = static_cast<std::size_t>(slot);
            return at >= first && body[at - first].what == opcode::variable &&
                   static_cast<std::size_t>(body[at - first].a) == Places::weight;
        };
        // Backwards: an instruction is late if all that use it are, either as it is or times the weight.
        std::array<bool, most> by_rows{}, as_it_is{}, times_weight{};
        for (std::size_t n = Count; n-- > 0;) {
            const codegen::instruction& i = body[n];
            const std::size_t slot = first + n;
            const int operands[] = {i.a, i.b, i.c};
            const bool may_be_late = late && !by_rows[slot] && as_it_is[slot] != times_weight[slot];
            const auto use = [&](std::array<bool, most>& how) {
                for (int k = 0; k < codegen::slots_read(i.what); ++k)
                    if (!is_shared(operands[k])) how[static_cast<std::size_t>(operands[k])] = true;
            };
            if (i.what == opcode::output && Linear) {
                all.of[slot] = part::sums;
                use(as_it_is);
            } else if (shared[n]) {
                all.of[slot] = part::component;
            } else if (may_be_late && is_linear(i, is_shared)) {
                all.of[slot] = part::sums;
                use(times_weight[slot] ? times_weight : as_it_is);
            } else if (may_be_late && !times_weight[slot] && i.what == opcode::multiply &&
                       is_weight(i.a) != is_weight(i.b)) {
                all.of[slot] = part::sums;
                all.weighted[slot] = true;
                times_weight[static_cast<std::size_t>(is_weight(i.a) ? i.b : i.a)] = true;
            } else {
                all.of[slot] = part::row;
                use(by_rows);
                all.weighted[slot] = times_weight[slot];
                all.is_possible = all.is_possible && !(as_it_is[slot] && times_weight[slot]);
            }
        }
        for (std::size_t n = 0; n < Count; ++n) {
            const codegen::instruction& i = body[n];
            const int operands[] = {i.a, i.b, i.c};
            const part its = all.of[first + n];
            for (int k = 0; k < codegen::slots_read(i.what); ++k) {
                const auto slot = static_cast<std::size_t>(operands[k]);
                if (its == part::row && slot >= first && all.of[slot] == part::component) all.keep(slot);
                if (its == part::sums && slot >= first && all.of[slot] == part::row &&
                    !(all.weighted[first + n] && is_weight(operands[k])))
                    all.sum(slot);
            }
        }
        return all;
    }
};

/// Calls f with 0, 1, ... as constants: as for_each_index(), with any count.
template <std::size_t Count, class F>
[[gnu::always_inline]] inline void for_each_constant(const F& f) {
    [&]<std::size_t... K>(std::index_sequence<K...>) __attribute__((always_inline)) {
        [[maybe_unused]] const int called[] = {0, (f(K), 0)...};
    }(std::make_index_sequence<Count>{});
}

/// Runs the parts. `Places` tells where an input is: a number of the row, or -1 - k for number k of the component.
template <class Program, class Places, bool Linear>
struct component_program;
template <class... Constants, int PairPlaces, bool Conditional, bool Relaxed, codegen::packed... I, class Own,
          class Places, bool Linear>
struct component_program<codegen::packed_program<codegen::constant_slots<Constants...>,
                                                 codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own>,
                         Places, Linear> {
    static constexpr std::size_t first = sizeof...(Constants), count = sizeof...(I), slots = first + count + 1;
    static constexpr auto parts = [] {
        const codegen::instruction body[] = {codegen::unpack(I)...};
        return division_into_parts<Places, Linear>::of(body, first);
    }();
    static constexpr std::size_t kept = parts.kept_count, terms = parts.term_count;

    /// The slots of a component, and what its rows need of them.
    template <class T>
    struct slots_of_component {
        std::array<T, slots> numbers;
        std::array<bool, Conditional ? slots : 1> conditions;
    };

    template <class T, class Numbers>
    static void prepare(slots_of_component<T>& all, const T* component, Numbers numbers, T* to) {
        const numbers_of_component<T> inputs{component};
        T* const nothing = nullptr;
        run_part<part::component>(all.numbers.data(), all.conditions.data(), inputs, numbers, nothing,
                                  std::make_index_sequence<first>{}, std::make_index_sequence<count>{});
        for (std::size_t k = 0; k < kept; ++k) to[k] = all.numbers[parts.kept[k]];
    }

    /// The outputs of a row, or with Linear its terms.
    template <class L, class T, class Numbers>
    [[gnu::always_inline]] static void of_row(const T* component, const L* row, Numbers numbers, L* to) {
        kernel::slot_array<L, slots> v;
        kernel::slot_array<typename kernel::condition_of<L, Conditional>::type, Conditional ? slots : 1> conditions;
        const numbers_of_row<L> inputs{row};
        run_part<part::row>(v.values, conditions.values, inputs, numbers, to, std::make_index_sequence<first>{},
                            std::make_index_sequence<count>{}, component);
        if constexpr (Linear)
            for_each_constant<terms>([&](std::size_t k) __attribute__((always_inline)) {
                const std::size_t slot = parts.terms[k];
                to[k] = parts.weighted[slot] ? row[Places::place(Places::weight)] * v.values[slot] : v.values[slot];
            });
    }

    /// The outputs from the sums of the terms.
    template <class T, class Numbers>
    static void finish(slots_of_component<T>& all, const T* sums, Numbers numbers, T* outputs) {
        for (std::size_t k = 0; k < terms; ++k) all.numbers[parts.terms[k]] = sums[k];
        const numbers_of_component<T> inputs{nullptr};
        run_part<part::sums>(all.numbers.data(), all.conditions.data(), inputs, numbers, outputs,
                             std::make_index_sequence<first>{}, std::make_index_sequence<count>{});
    }

private:
    template <class T>
    struct numbers_of_component {
        const T* numbers;
        [[gnu::always_inline]] const T& operator[](std::size_t i) const { return numbers[-1 - Places::place(i)]; }
        void refresh() const {}
    };
    template <class L>
    struct numbers_of_row {
        const L* numbers;
        [[gnu::always_inline]] const L& operator[](std::size_t i) const { return numbers[Places::place(i)]; }
        void refresh() const {}
    };

    template <part Part, class L, class Condition, class Variables, class Numbers, class Outputs, std::size_t... C,
              std::size_t... N, class... Component>
    [[gnu::always_inline]] static void run_part(L* v, Condition* conditions, Variables& variables, Numbers& numbers,
                                                Outputs& outputs, std::index_sequence<C...>, std::index_sequence<N...>,
                                                const Component*... component) {
        [[maybe_unused]] const int constants[] = {0, (v[C] = Constants::template as<L>(), 0)...};
        kernel::slot_array<L, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        const kernel::execution_context<L, Condition, Variables, Numbers, Outputs> context{pairs.values, conditions,
                                                                                           variables, numbers, outputs};
        [[maybe_unused]] const int executed[] = {0, (step<Part, N, I>(v, context, component...), 0)...};
    }
    // A row loads each number of the component where the program has it: loaded first, they would not fit in registers.
    template <part Part, std::size_t N, codegen::packed P, class L, class Around, class... Component>
    [[gnu::always_inline]] static void step(L* v, const Around& context,
                                            [[maybe_unused]] const Component*... component) {
        if constexpr (Part == part::sums && parts.of[first + N] == part::sums && parts.weighted[first + N])
            v[first + N] = v[operand_but_weight(codegen::unpack(P))];
        else if constexpr (parts.of[first + N] == Part)
            kernel::step<static_cast<unsigned>(P & 255), static_cast<unsigned>(P >> 8 & 255), Own>(v, first + N, P,
                                                                                                   context);
        else if constexpr (Part == part::row && place_of_kept[N] < kept)
            v[first + N] = L((component[place_of_kept[N]], ...));
    }
    // Of a product with the weight, which the terms have in them.
    static constexpr std::size_t operand_but_weight(const codegen::instruction& i) {
        const codegen::instruction body[] = {codegen::unpack(I)...};
        const auto& a = body[static_cast<std::size_t>(i.a) - first];
        const bool weight = a.what == codegen::opcode::variable && static_cast<std::size_t>(a.a) == Places::weight;
        return static_cast<std::size_t>(weight ? i.b : i.a);
    }
    static constexpr auto place_of_kept = [] {
        std::array<std::size_t, count> places{};
        for (std::size_t n = 0; n < count; ++n) {
            std::size_t& k = places[n];
            while (k < kept && parts.kept[k] != first + n) ++k;
        }
        return places;
    }();
};

} // namespace chainrule::batches
