// SPDX-License-Identifier: BSL-1.0
//
// Turns a program into machine code. Its packed instructions are template arguments of one function, which expands each
// into one assignment. All temporaries are in one local array, which the compiler splits into registers because every
// index is a constant.
#pragma once

#include <chainrule/functions/rows.hpp>
#include <chainrule/kernel/demand_order.hpp>
#include <chainrule/codegen/packed.hpp>
#include <chainrule/graph/custom_functions.hpp>

#include <cstddef>
#include <utility>

#if defined(__GLIBC__) && !defined(__CUDACC__)
#define CHAINRULE_HAS_SINCOS 1
extern "C" {
void sincosf(float, float*, float*) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosl(long double, long double*, long double*) noexcept;
}
#endif

namespace chainrule::kernel {

// The result type of comparing two numbers: bool, or one truth value per lane.
template <class T, bool Conditional>
struct condition_of {
    using type = bool;
};
template <class T>
requires(!std::is_arithmetic_v<T>)
struct condition_of<T, true> {
    using type = std::remove_cvref_t<decltype(std::declval<const T&>() < std::declval<const T&>())>;
};

template <graph::relation What, class Operand>
[[gnu::always_inline]] inline constexpr auto compare(const Operand& a, [[maybe_unused]] const Operand& b) {
    using graph::relation;
    if constexpr (What == relation::less)
        return a < b;
    else if constexpr (What == relation::less_equal)
        return a <= b;
    else if constexpr (What == relation::greater)
        return a > b;
    else if constexpr (What == relation::greater_equal)
        return a >= b;
    else if constexpr (What == relation::equal)
        return a == b;
    else if constexpr (What == relation::not_equal)
        return a != b;
    else if constexpr (What == relation::conjunction)
        return static_cast<Operand>(a & b);
    else if constexpr (What == relation::disjunction)
        return static_cast<Operand>(a | b);
    else
        return !a;
}

// The choice by truth values of lanes: select(), or where() as in std::experimental::simd.
template <class Condition, class T>
[[gnu::always_inline]] inline constexpr T chosen(const Condition& c, const T& a, const T& b) {
    if constexpr (requires { select(c, a, b); }) {
        return select(c, a, b);
    } else {
        T result = b;
        where(c, result) = a;
        return result;
    }
}

template <class T>
[[gnu::always_inline]] inline constexpr void sine_cosine(const T& x, T& sine, T& cosine) {
#if defined(CHAINRULE_HAS_SINCOS)
    // One call: clang does not fuse separate calls of sin and cos.
    if constexpr (std::floating_point<T>) {
        if (!__builtin_is_constant_evaluated()) {
            if constexpr (std::same_as<T, float>)
                ::sincosf(x, &sine, &cosine);
            else if constexpr (std::same_as<T, double>)
                ::sincos(x, &sine, &cosine);
            else
                ::sincosl(x, &sine, &cosine);
            return;
        }
    }
#endif
    sine = evaluation::sin(x);
    cosine = evaluation::cos(x);
}

/// Makes the compiler discard values that it read through a pointer.
template <class T>
[[gnu::always_inline]] inline constexpr void forget(T*& pointer) {
#if defined(__GNUC__) && !defined(__CUDACC__)
    if (!__builtin_is_constant_evaluated()) asm("" : "+r"(pointer));
#endif
}

/// A sine or cosine read from where a call of sincos wrote it. g++ would load both as one vector, which stalls: the
/// call has just stored them one by one. (A function of one rotation took twice as long.)
template <class T>
[[gnu::always_inline]] inline constexpr T loaded_alone(const T& number) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__CUDACC__)
    if constexpr (std::same_as<T, double> || std::same_as<T, float>) {
        T result = number;
        if (!__builtin_is_constant_evaluated()) asm("" : "+x"(result));
        return result;
    } else
#endif
        return number;
}

// One instruction. The template depends only on the kind of operation, so there are few instances. Variables, numbers
// and outputs are any types with an operator[], so memory may be strided or keyed; numbers may also store sines and
// cosines.
template <codegen::operation What, unsigned Function, class Own, class T, class Condition, class Variables,
          class Numbers, class Outputs>
[[gnu::always_inline]] inline constexpr void
step(T* v, T* pairs, [[maybe_unused]] Condition* conditions, std::size_t slot, std::size_t a, std::size_t b,
     std::size_t c, [[maybe_unused]] Variables& variables, [[maybe_unused]] Numbers& numbers,
     [[maybe_unused]] Outputs& outputs) {
    using codegen::operation;
    if constexpr (What == operation::variable)
        v[slot] = variables[a];
    else if constexpr (What == operation::number)
        v[slot] = numbers[a];
    else if constexpr (What == operation::output)
        outputs[b] = v[a];
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, ...)                                                       \
    else if constexpr (What == operation::NAME) v[slot] = __VA_ARGS__;
#define CHAINRULE_OTHER(...)
    CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
    else if constexpr (What == operation::sine_cosine) {
        if constexpr (requires { numbers.sine_cosine(v[a], pairs[b], pairs[b + 1]); })
            numbers.sine_cosine(v[a], pairs[b], pairs[b + 1]);
        else
            kernel::sine_cosine(v[a], pairs[b], pairs[b + 1]);
    }
    else if constexpr (What == operation::reload) v[slot] = kernel::loaded_alone(pairs[b]);
    else if constexpr (What == operation::refresh) {
        variables.refresh();
        numbers.refresh();
    }
    else if constexpr (What == operation::condition) {
        constexpr auto relation = static_cast<graph::relation>(Function);
        if constexpr (relation < graph::relation::conjunction)
            conditions[slot] = kernel::compare<relation>(v[a], v[b]);
        else
            conditions[slot] = kernel::compare<relation>(conditions[a], conditions[b]);
    }
    else if constexpr (What == operation::select) {
        if constexpr (std::same_as<Condition, bool>)
            v[slot] = conditions[a] ? v[b] : v[c];
        else
            v[slot] = kernel::chosen(conditions[a], v[b], v[c]);
    }
    else if constexpr (What == operation::call) {
        using row = typename functions::row_of<typename graph::called_function<Function, Own>::type>::type;
        if constexpr (int{row::arity} == 1)
            v[slot] = row::value(v[a]);
        else if constexpr (int{row::arity} == 2)
            v[slot] = row::value(v[a], v[b]);
        else
            v[slot] = row::value(v[a], v[b], v[c]);
    }
}

// Slots are not initialized, since each is written before it is read.
template <class T, std::size_t Size>
struct slot_array {
    T values[Size];
    [[gnu::always_inline]] constexpr slot_array() {
        if (__builtin_is_constant_evaluated())
            for (T& v : values) v = T{};
    }
};

/// Runs a program.
template <class Program>
struct runner;
template <class... Constants, int PairPlaces, bool Conditional, packed... I, class Own>
struct runner<packed_program<constant_slots<Constants...>, instructions<PairPlaces, Conditional, I...>, Own>> {
    template <class T, class Variables, class Numbers, class Outputs>
    [[gnu::always_inline]] static constexpr void run(Variables variables, Numbers numbers, Outputs& outputs) {
        expand<T>(variables, numbers, outputs, std::make_index_sequence<sizeof...(Constants)>{},
                  std::make_index_sequence<sizeof...(I)>{});
    }

private:
    template <class T, class Variables, class Numbers, class Outputs, std::size_t... C, std::size_t... N>
    [[gnu::always_inline]] static constexpr void
    expand([[maybe_unused]] Variables& variables, [[maybe_unused]] Numbers& numbers, [[maybe_unused]] Outputs& outputs,
           std::index_sequence<C...>, std::index_sequence<N...>) {
        constexpr std::size_t first = sizeof...(C);
        slot_array<T, first + sizeof...(N) + 1> slots;
        // The results of sincos are in a separate array and stay in memory until they are used: an array whose address
        // is passed on cannot be split into registers.
        slot_array<T, static_cast<std::size_t>(PairPlaces + 1)> pairs;
        slot_array<typename condition_of<T, Conditional>::type, Conditional ? first + sizeof...(N) + 1 : 1> conditions;
        T* const v = slots.values;
        if constexpr (Conditional && std::same_as<std::remove_reference_t<decltype(*conditions.values)>, bool>) {
            if (__builtin_is_constant_evaluated()) {
                const codegen::instruction body[] = {unpack(I)...};
                [[maybe_unused]] const int known[] = {0, (v[C] = Constants::template as<T>(), 0)...};
                demand_order<T, first + sizeof...(N)> order(body, first, sizeof...(N));
                while (order.begin(conditions.values, v)) {
                    [[maybe_unused]] const int executed[] = {
                        (order.runs(N)
                             ? step<static_cast<codegen::operation>(I & 255), static_cast<unsigned>(I >> 8 & 255), Own>(
                                   v, pairs.values, conditions.values, first + N, I >> 16 & 65535, I >> 32 & 65535,
                                   I >> 48, variables, numbers, outputs)
                             : void(),
                         0)...};
                }
                return;
            }
        }
        // Array elements are initialized in order; a fold expression would nest as deep as the program is long.
        [[maybe_unused]] const int constants[] = {0, (v[C] = Constants::template as<T>(), 0)...};
        [[maybe_unused]] const int executed[] = {
            0, (step<static_cast<codegen::operation>(I & 255), static_cast<unsigned>(I >> 8 & 255), Own>(
                    v, pairs.values, conditions.values, first + N, I >> 16 & 65535, I >> 32 & 65535, I >> 48, variables,
                    numbers, outputs),
                0)...};
    }
};

} // namespace chainrule::kernel
