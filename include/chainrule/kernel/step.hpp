// SPDX-License-Identifier: BSL-1.0
//
// One instruction of a program, as an assignment to its slot. kernel/emit.hpp and kernel/emit_vectors.hpp expand
// programs into these.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/functions/rows.hpp>
#include <chainrule/codegen/packed.hpp>
#include <chainrule/graph/custom_functions.hpp>

#include <cstddef>

#if defined(__SYCL_DEVICE_ONLY__) // has none
#elif defined(CHAINRULE_FOR_DEVICES)
#define CHAINRULE_HAS_SINCOS 1 // declared by the compiler
#elif defined(__GLIBC__)
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
CHAINRULE_STEP inline constexpr auto compare(const Operand& a, [[maybe_unused]] const Operand& b) {
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

using by_lookup::chosen;

template <class T>
CHAINRULE_STEP inline constexpr void sine_cosine(const T& x, T& sine, T& cosine) {
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
CHAINRULE_STEP inline constexpr void forget([[maybe_unused]] T*& pointer) {
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__SYCL_DEVICE_ONLY__)
    if (!__builtin_is_constant_evaluated()) asm("" : "+r"(pointer));
#endif
}

/// Keeps g++ from loading the sine and cosine that a call of sincos wrote as one vector, which stalls: the call has
/// just stored them one by one. (A function of one rotation took twice as long.) A macro, since debug information would
/// describe each call of a function.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__CUDACC__)
#define CHAINRULE_LOADED_ALONE(T, NUMBER)                                                                              \
    if constexpr (std::same_as<T, double> || std::same_as<T, float>)                                                   \
        if (!__builtin_is_constant_evaluated()) asm("" : "+x"(NUMBER))
#else
#define CHAINRULE_LOADED_ALONE(T, NUMBER) static_cast<void>(0)
#endif

// What instructions refer to besides the slots. Variables, numbers and outputs are any types with an operator[], so
// memory may be strided or keyed; numbers may also store sines and cosines.
template <class T, class Condition, class Variables, class Numbers, class Outputs>
struct execution_context {
    T* pairs;
    Condition* conditions;
    Variables& variables;
    Numbers& numbers;
    Outputs& outputs;
    bool stores_alone = false;
};

/// Whether result k of many is the last that g++ may collect in a vector with those before it: at most 32 bytes. (Code
/// that reads results as vectors would wait for numbers that were stored one by one.) Few results may stay in registers
/// of the caller.
template <class T>
CHAINRULE_STEP constexpr bool is_last_of_vector(std::size_t results, std::size_t k) {
    return results > 8 && (k + 1) * sizeof(T) % 32 == 0;
}
/// The number of results where it is known, or 0.
template <class Outputs>
inline constexpr std::size_t result_count = 0;
template <class T, std::size_t Size>
inline constexpr std::size_t result_count<std::array<T, Size>> = Size;
template <class Outputs>
requires requires { std::size_t{Outputs::result_count}; }
inline constexpr std::size_t result_count<Outputs> = std::size_t{Outputs::result_count};

/// Whether results are stored one by one: they are many, and take so many instructions that to collect them in vectors
/// gains little. g++ would also compute them in pairs as far as it can, and shuffle numbers for it: the Jacobian of a
/// reprojection took 13 per cent more instructions, the relaxed gradient of Helmholtz' energy 18 per cent more time.
/// Entries of Hessians are alike more often and gain.
template <class Outputs>
CHAINRULE_STEP constexpr bool are_stored_alone(std::size_t instructions) {
    return result_count<Outputs> > 8 && instructions >= 5 * result_count<Outputs>;
}

// Whether numbers of type T are values of one of the compiler's vector types. clang contracts a product and a sum only
// within one expression of such values, so these instructions do not use the operators of T.
template <class T>
inline constexpr bool of_vector_type = requires(T lanes) {
    typename T::register_type; // xsimd::batch has one, too
    lanes.value;
};

// One instruction. The template depends only on the kind of operation, so there are few instances, and the parameters
// are few, since debug information describes each of them for each instruction.
template <unsigned What, unsigned Function, class Own, class T, class Condition, class Variables, class Numbers,
          class Outputs>
CHAINRULE_STEP inline constexpr void step(T* v, std::size_t slot, packed i,
                                          const execution_context<T, Condition, Variables, Numbers, Outputs>& context) {
    using codegen::opcode;
// Compared as numbers: clang takes 50 us for each comparison of enumerators.
#define CHAINRULE_IS(NAME) (What == static_cast<unsigned>(opcode::NAME))
// The operands are macros, since debug information would describe variables for each instruction.
#define a (i >> 16 & 65535)
#define b (i >> 32 & 65535)
#define c (i >> 48)
    if constexpr (CHAINRULE_IS(variable))
        v[slot] = context.variables[a];
    else if constexpr (CHAINRULE_IS(number))
        v[slot] = context.numbers[a];
    else if constexpr (CHAINRULE_IS(output)) {
        context.outputs[b] = v[a];
        if constexpr (result_count<Outputs> > 8 && std::is_lvalue_reference_v<decltype(context.outputs[b])>)
            if (context.stores_alone || is_last_of_vector<T>(result_count<Outputs>, b))
                CHAINRULE_STORED_ALONE(context.outputs[b]);
    } else if constexpr (CHAINRULE_IS(multiply_add) && of_vector_type<T>)
        v[slot] = {v[a].value * v[b].value + v[c].value};
    else if constexpr (CHAINRULE_IS(multiply_subtract) && of_vector_type<T>)
        v[slot] = {v[a].value * v[b].value - v[c].value};
    else if constexpr (CHAINRULE_IS(negative_multiply_add) && of_vector_type<T>)
        v[slot] = {v[c].value - v[a].value * v[b].value};
    else if constexpr (CHAINRULE_IS(negative_multiply_subtract) && of_vector_type<T>)
        v[slot] = {-(v[a].value * v[b].value) - v[c].value};
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                     \
    else if constexpr (CHAINRULE_IS(NAME)) v[slot] = __VA_ARGS__;
#define CHAINRULE_OTHER(...)
    CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
    else if constexpr (CHAINRULE_IS(sine_cosine)) {
        if constexpr (requires { context.numbers.sine_cosine(v[a], context.pairs[b], context.pairs[b + 1]); })
            context.numbers.sine_cosine(v[a], context.pairs[b], context.pairs[b + 1]);
        else
            kernel::sine_cosine(v[a], context.pairs[b], context.pairs[b + 1]);
    }
    else if constexpr (CHAINRULE_IS(reload)) {
        v[slot] = context.pairs[b];
        CHAINRULE_LOADED_ALONE(T, v[slot]);
    }
    else if constexpr (CHAINRULE_IS(refresh)) {
        context.variables.refresh();
        context.numbers.refresh();
    }
    else if constexpr (CHAINRULE_IS(condition)) {
        constexpr auto relation = static_cast<graph::relation>(Function);
        if constexpr (relation < graph::relation::conjunction)
            context.conditions[slot] = kernel::compare<relation>(v[a], v[b]);
        else
            context.conditions[slot] = kernel::compare<relation>(context.conditions[a], context.conditions[b]);
    }
    else if constexpr (CHAINRULE_IS(select)) {
        if constexpr (std::same_as<Condition, bool>)
            v[slot] = context.conditions[a] ? v[b] : v[c];
        else
            v[slot] = kernel::chosen(context.conditions[a], v[b], v[c]);
    }
    else if constexpr (CHAINRULE_IS(call)) {
        using row = typename functions::row_of<typename graph::called_function<Function, Own>::type>::type;
        if constexpr (int{row::arity} == 1)
            v[slot] = row::value(v[a]);
        else if constexpr (int{row::arity} == 2)
            v[slot] = row::value(v[a], v[b]);
        else
            v[slot] = row::value(v[a], v[b], v[c]);
    }
#undef CHAINRULE_IS
#undef a
#undef b
#undef c
}
#undef CHAINRULE_LOADED_ALONE

} // namespace chainrule::kernel
