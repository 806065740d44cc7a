// SPDX-License-Identifier: BSL-1.0
//
// Runs a program in two parts: first, once, the instructions that depend on nothing but shared numbers, then for each
// row the others. So a logarithm of a parameter is not computed for every row.
#pragma once

#include <chainrule/codegen/packed.hpp>
#include <chainrule/kernel/emit.hpp>

#include <array>
#include <type_traits>

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
        using codegen::operation;
        const codegen::instruction& i = body[n];
        if (i.what == operation::variable) return Places::place(static_cast<std::size_t>(i.a)) < 0;
        if (i.what == operation::output || i.what == operation::refresh) return false;
        // Pairs of sines and cosines share places in memory: those stay in the loop.
        if (i.what == operation::sine_cosine || i.what == operation::reload || i.what == operation::cosine_of_pair)
            return false;
        const int operands[] = {i.a, i.b, i.c};
        for (int k = 0; k < codegen::slots_read(i.what); ++k)
            if (operands[k] >= first && !shared[static_cast<std::size_t>(operands[k] - first)]) return false;
        return true;
    }
};

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
    /// The instructions that run for each row.
    static constexpr std::size_t per_row = [] {
        std::size_t all = 0;
        for (const bool shared : is_shared) all += shared ? 0u : 1u;
        return all;
    }();

    /// Whether some of the others compute: loading shared numbers alone is left to the compiler, which does it better.
    static constexpr bool is_worthwhile = [] {
        using codegen::operation;
        const codegen::instruction body[] = {codegen::unpack(I)...};
        for (std::size_t n = 0; n < count; ++n)
            if (is_shared[n] && body[n].what != operation::variable && body[n].what != operation::number &&
                body[n].what != operation::constant)
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
        if constexpr (!is_worthwhile) return;
        T* const nothing = nullptr;
        T pairs[1];
        run_part<true>(kept.numbers.values, pairs, kept.conditions.values, kept, variables, numbers, nothing,
                       std::make_index_sequence<first>{}, std::make_index_sequence<count>{});
    }
    template <class L, class T, class Variables, class Numbers, class Outputs>
    [[gnu::always_inline]] static void run(const shared_slots<T>& kept, Variables variables, Numbers numbers,
                                           Outputs& outputs) {
        if constexpr (!is_worthwhile) return kernel::runner<program>::template run<L>(variables, numbers, outputs);
        kernel::slot_array<L, slots> own;
        kernel::slot_array<L, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        kernel::slot_array<typename kernel::condition_of<L, Conditional>::type, Conditional ? slots : 1> conditions;
        run_part<false>(own.values, pairs.values, conditions.values, kept, variables, numbers, outputs,
                        std::make_index_sequence<first>{}, std::make_index_sequence<count>{});
    }

private:
    template <bool Shared, class L, class T, class Condition, class Variables, class Numbers, class Outputs,
              std::size_t... C, std::size_t... N>
    [[gnu::always_inline]] static void run_part(L* v, L* pairs, Condition* conditions, const shared_slots<T>& kept,
                                                Variables& variables, Numbers& numbers, Outputs& outputs,
                                                std::index_sequence<C...>, std::index_sequence<N...>) {
        [[maybe_unused]] const int constants[] = {0, (v[C] = Constants::template as<L>(), 0)...};
        const kernel::execution_context<L, Condition, Variables, Numbers, Outputs> context{pairs, conditions, variables,
                                                                                           numbers, outputs};
        [[maybe_unused]] const int executed[] = {0, (step<Shared, N, I>(v, kept, context), 0)...};
    }
    template <bool Shared, std::size_t N, codegen::packed P, class L, class T, class Around>
    [[gnu::always_inline]] static void step(L* v, [[maybe_unused]] const shared_slots<T>& kept, const Around& context) {
        constexpr auto what = static_cast<codegen::operation>(P & 255);
        if constexpr (is_shared[N] == Shared)
            kernel::step<static_cast<unsigned>(what), static_cast<unsigned>(P >> 8 & 255), Own>(v, first + N, P,
                                                                                                context);
        else if constexpr (!Shared && what == codegen::operation::condition && std::is_same_v<L, T>)
            context.conditions[first + N] = kept.conditions.values[first + N];
        else if constexpr (!Shared && what == codegen::operation::condition)
            context.conditions[first + N] = L(T(kept.conditions.values[first + N] ? 1 : 0)) != L(T(0));
        else if constexpr (!Shared)
            v[first + N] = L(kept.numbers.values[first + N]);
    }
};

} // namespace chainrule::batches
