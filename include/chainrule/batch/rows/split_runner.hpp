// SPDX-License-Identifier: BSL-1.0
//
// Runs a program in two parts: first, once, the instructions that depend on nothing but shared numbers, then for each
// row the others. So a logarithm of a parameter is not computed for every row.
#pragma once

#include <chainrule/codegen/packed.hpp>
#include <chainrule/kernel/emit.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace chainrule::batches {

/// Which instructions of a program depend on shared numbers only. `Places` tells where an input is.
template <class Places>
class dependence {
public:
    template <std::size_t Count>
    [[nodiscard]] static constexpr std::array<bool, Count> of(const codegen::instruction (&body)[Count], int first) {
        std::array<bool, Count> shared{};
        for (std::size_t n = 0; n < Count; ++n) shared[n] = is_shared(body, n, first, shared);
        return shared;
    }

private:
    template <std::size_t Count>
    static constexpr bool is_shared(const codegen::instruction (&body)[Count], std::size_t n, int first,
                                    const std::array<bool, Count>& shared) {
        using codegen::opcode;
        const codegen::instruction& i = body[n];
        if (i.what == opcode::variable) return Places::place(static_cast<std::size_t>(i.a)) < 0;
        if (i.what == opcode::output || i.what == opcode::refresh) return false;
        // Pairs of sines and cosines share places in memory: those stay in the loop.
        if (i.what == opcode::sine_cosine || i.what == opcode::reload || i.what == opcode::cosine_of_pair) return false;
        const int operands[] = {i.a, i.b, i.c};
        for (int k = 0; k < codegen::slots_read(i.what); ++k)
            if (operands[k] >= first && !shared[static_cast<std::size_t>(operands[k] - first)]) return false;
        return true;
    }
};

/// The bits of words as a list. g++ copies an array for each element that it reads, so arrays of bool would take memory
/// with the square of their size.
template <const auto& Words, std::size_t... N>
auto list_bits(std::index_sequence<N...>) -> std::integer_sequence<bool, (Words[N / 64] >> N % 64 & 1) != 0 ...>;

/// The inputs of a row: shared numbers, and the numbers of the row, which the first part does not read. `Places` tells
/// where an input is.
template <class Places, class L>
struct inputs_of_row {
    const L* shared;
    const L* row;
    [[gnu::always_inline]] const L& operator[](std::size_t i) const {
        const std::ptrdiff_t place = Places::place(i);
        return place >= 0 ? row[place] : shared[-1 - place];
    }
    [[gnu::always_inline]] void refresh() const {}
};

// What a part does with an instruction: it runs its own, and the second part reads the results of the first.
enum class use { run, read, none };
consteval use use_of(bool of_first_part, bool in_first_part) {
    return of_first_part == in_first_part ? use::run : in_first_part ? use::none : use::read;
}

// Not a member of the runner: at each call g++ would read the arguments of its type, all instructions, so compile time
// would grow with the square of their number. Instructions of the same kind share an instantiation.
template <use Use, unsigned What, unsigned Function, class Own, class L, class T, class Shared, class Around>
[[gnu::always_inline]] inline void step(L* v, std::size_t slot, [[maybe_unused]] codegen::packed instruction,
                                        [[maybe_unused]] const T* numbers, [[maybe_unused]] const Shared* conditions,
                                        const Around& context) {
    constexpr bool is_condition = What == static_cast<unsigned>(codegen::opcode::condition);
    if constexpr (Use == use::run)
        kernel::step<What, Function, Own>(v, slot, instruction, context);
    else if constexpr (Use == use::read && is_condition && std::is_same_v<L, T>)
        context.conditions[slot] = conditions[slot];
    else if constexpr (Use == use::read && is_condition)
        context.conditions[slot] = L(T(conditions[slot] ? 1 : 0)) != L(T(0));
    else if constexpr (Use == use::read)
        v[slot] = L(numbers[slot]);
}

template <class Program, class Places>
struct split_runner;
template <class... Constants, int PairPlaces, bool Conditional, bool Relaxed, codegen::packed... I, class Own,
          class Places>
struct split_runner<codegen::packed_program<codegen::constant_slots<Constants...>,
                                            codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own>,
                    Places> {
    using program = codegen::packed_program<codegen::constant_slots<Constants...>,
                                            codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own>;
    static constexpr std::size_t first = sizeof...(Constants), count = sizeof...(I);
    static constexpr std::size_t slots = first + count + 1;
    static constexpr std::array<bool, count> is_shared = [] {
        const codegen::instruction body[] = {codegen::unpack(I)...};
        return dependence<Places>::of(body, static_cast<int>(first));
    }();
    static constexpr auto words_of_shared = [] {
        std::array<std::uint64_t, (count + 63) / 64> words{};
        for (std::size_t n = 0; n < count; ++n) words[n / 64] |= std::uint64_t{is_shared[n]} << n % 64;
        return words;
    }();
    using uses = decltype(batches::list_bits<words_of_shared>(std::make_index_sequence<count>{}));
    /// The instructions that run for each row.
    static constexpr std::size_t per_row = [] {
        std::size_t all = 0;
        for (const bool shared : is_shared) all += shared ? 0u : 1u;
        return all;
    }();

    /// Whether some of the others compute: loading shared numbers alone is left to the compiler, which does it better.
    static constexpr bool is_worthwhile = [] {
        using codegen::opcode;
        const codegen::instruction body[] = {codegen::unpack(I)...};
        for (std::size_t n = 0; n < count; ++n)
            if (is_shared[n] && body[n].what != opcode::variable && body[n].what != opcode::number &&
                body[n].what != opcode::constant)
                return true;
        return false;
    }();

    /// The results of the first part, of the type in which it is computed: plain numbers, whose functions take less
    /// time than those of lanes, where all lanes share them.
    template <class T>
    struct shared_slots {
        kernel::slot_array<T, slots> numbers;
        kernel::slot_array<typename kernel::condition_of<T, Conditional>::type, Conditional ? slots : 1> conditions;
        [[gnu::always_inline]] shared_slots() {} // zeros would keep the slots in memory
    };

    template <class T, class Variables, class Numbers>
    [[gnu::always_inline]] static void prepare(shared_slots<T>& kept, Variables variables, Numbers numbers) {
        if constexpr (is_worthwhile) {
            T* const nothing = nullptr;
            T pairs[1];
            run_part<true>(kept.numbers.values, pairs, kept.conditions.values, kept, variables, numbers, nothing,
                           std::make_index_sequence<first>{}, uses{});
        }
    }
    template <class L, class T, class Variables, class Numbers, class Outputs>
    [[gnu::always_inline]] static void run(const shared_slots<T>& kept, Variables variables, Numbers numbers,
                                           Outputs& outputs) {
        if constexpr (is_worthwhile) {
            kernel::slot_array<L, slots> own;
            kernel::slot_array<L, static_cast<std::size_t>(PairPlaces + 1)> pairs;
            kernel::slot_array<typename kernel::condition_of<L, Conditional>::type, Conditional ? slots : 1> conditions;
            run_part<false>(own.values, pairs.values, conditions.values, kept, variables, numbers, outputs,
                            std::make_index_sequence<first>{}, uses{});
        } else {
            kernel::runner<program>::template run<L>(variables, numbers, outputs);
        }
    }

private:
    template <bool Shared, class L, class T, class Condition, class Variables, class Numbers, class Outputs,
              std::size_t... C, bool... IsShared>
    [[gnu::always_inline]] static void run_part(L* v, L* pairs, Condition* conditions, const shared_slots<T>& kept,
                                                Variables& variables, Numbers& numbers, Outputs& outputs,
                                                std::index_sequence<C...>, std::integer_sequence<bool, IsShared...>) {
        std::size_t slot = first;
        [[maybe_unused]] const int constants[] = {0, (v[C] = Constants::template as<L>(), 0)...};
        const kernel::execution_context<L, Condition, Variables, Numbers, Outputs> context{pairs, conditions, variables,
                                                                                           numbers, outputs};
        [[maybe_unused]] const int executed[] = {
            0, (batches::step<use_of(IsShared, Shared), static_cast<unsigned>(I & 255),
                              static_cast<unsigned>(I >> 8 & 255), Own>(v, slot++, I, kept.numbers.values,
                                                                        kept.conditions.values, context),
                0)...};
    }
};

} // namespace chainrule::batches
