// SPDX-License-Identifier: BSL-1.0
//
// Turns a program that codegen/vectors.hpp packed into machine code, with the compiler's vector types. Numbers and
// vectors are in two arrays with the same slots.
#pragma once

#include <chainrule/codegen/vectors.hpp>
#include <chainrule/functions/device.hpp>
#include <chainrule/core/lanes.hpp>
#include <chainrule/kernel/emit_call_groups.hpp>
#include <chainrule/kernel/step.hpp>

namespace chainrule::kernel {

/// The lanes of the vectors of a kernel on numbers of type T, or 0 for none. (Wider ones would have more lanes than
/// programs mostly have equal parts.)
template <class T>
inline constexpr int vector_lanes = 0;
#if defined(CHAINRULE_FOR_DEVICES)
#elif defined(__AVX__)
template <>
inline constexpr int vector_lanes<double> = 4;
template <>
inline constexpr int vector_lanes<float> = 4;
#elif defined(__SSE2__) || defined(__aarch64__)
template <>
inline constexpr int vector_lanes<double> = 2;
template <>
inline constexpr int vector_lanes<float> = 4;
#endif

template <class T, int Lanes>
using vector_of = simd::lanes<T, static_cast<std::size_t>(Lanes)>;

/// Whether kernels on numbers of type T that read such variables use vectors: it pays off if inputs lie in order.
template <class T, class Variables>
inline constexpr bool takes_vectors = vector_lanes<T> > 0 && requires(const Variables& inputs) {
    { inputs.in_order(0, 1) } -> std::same_as<simd::stretch<const T>>;
};

// Slots are not initialized, since each is written before it is read.
template <class T, std::size_t Size>
struct slot_array {
    T values[Size];
    CHAINRULE_STEP constexpr slot_array() {
        if (__builtin_is_constant_evaluated())
            for (T& v : values) v = T{};
    }
};

// The vectors of a packed program; in constant expressions, where compilers have none, their numbers.
template <class T, int Lanes, std::size_t Size>
struct vector_array {
    vector_of<T, Lanes> vectors[Size];
    slot_array<T, Size* static_cast<std::size_t>(Lanes)> numbers;
};

// Reads lanes from memory if the numbers lie in order there, else one by one. (Not in a loop: g++ keeps an array in
// memory whose index is a constant only after unrolling.)
template <class T, int Lanes, class Source>
CHAINRULE_STEP inline vector_of<T, Lanes> lanes_at(const Source& numbers, std::size_t first) {
    if constexpr (requires { numbers.in_order(first, first); }) {
        if (const auto from = numbers.in_order(first, static_cast<std::size_t>(Lanes)); from.is_in_order)
            return simd::load<static_cast<std::size_t>(Lanes)>(from.first);
    }
    if constexpr (Lanes == 2)
        return vector_of<T, Lanes>{numbers[first], numbers[first + 1]};
    else
        return vector_of<T, Lanes>{numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]};
}
template <class T, int Lanes, class Outputs>
CHAINRULE_STEP inline void store_lanes(Outputs& outputs, std::size_t first, const vector_of<T, Lanes>& all) {
    if constexpr (requires { outputs.in_order(first, first); }) {
        if (const auto to = outputs.in_order(first, static_cast<std::size_t>(Lanes)); to.is_in_order)
            return simd::store(to.first, all);
    } else if constexpr (std::is_array_v<Outputs>) {
        return simd::store(outputs + first, all);
    }
    outputs[first] = all[0];
    outputs[first + 1] = all[1];
    if constexpr (Lanes > 2) {
        outputs[first + 2] = all[2];
        outputs[first + 3] = all[3];
    }
}

// A formula of the table, on numbers or vectors. step() has the same lines and no call of this: debug information would
// describe one more call for each instruction.
template <unsigned What, class V>
CHAINRULE_STEP inline constexpr void formula_of(V* v, std::size_t slot, [[maybe_unused]] std::size_t a,
                                                [[maybe_unused]] std::size_t b, [[maybe_unused]] std::size_t c) {
    using codegen::opcode;
    if constexpr (false) {
    }
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                     \
    else if constexpr (What == static_cast<unsigned>(opcode::NAME)) v[slot] = __VA_ARGS__;
#define CHAINRULE_OTHER(...)
    CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
}

// Lane l of an instruction's result, in a constant expression.
template <unsigned What, int Lanes, unsigned Pattern, class T, class Context>
constexpr void compute_lane(T* v, T* w, std::size_t slot, std::size_t a, std::size_t b, std::size_t c, std::size_t l,
                            const Context& context) {
    using codegen::vector_opcode;
    constexpr auto vector = static_cast<vector_opcode>(What);
    constexpr std::size_t lanes = Lanes;
    T& to = w[slot * lanes + l];
    if constexpr (vector < vector_opcode::load_variables)
        kernel::formula_of<What - static_cast<unsigned>(vector_opcode::arithmetic)>(w, slot * lanes + l, a * lanes + l,
                                                                                    b * lanes + l, c * lanes + l);
    else if constexpr (vector == vector_opcode::load_variables)
        to = context.variables[a + l];
    else if constexpr (vector == vector_opcode::load_numbers)
        to = context.numbers[a + l];
    else if constexpr (vector == vector_opcode::spread)
        to = v[a];
    else if constexpr (vector == vector_opcode::gather)
        to = v[slot - lanes + l];
    else if constexpr (vector == vector_opcode::shuffle) {
        constexpr std::size_t from = Pattern;
        const std::size_t k = from >> 3 * l & 7;
        to = k < lanes ? w[a * lanes + k] : w[b * lanes + k - lanes];
    } else
        context.outputs[b + l] = w[a * lanes + l];
}

// One instruction. `Instance` is a part of it: codegen::instance_of.
template <int Lanes, codegen::packed Instance, class Own, class T, class Slots, class Context>
CHAINRULE_STEP inline constexpr void vector_step(T* v, Slots& slots, std::size_t slot, codegen::packed i,
                                                 const Context& context) {
    [[maybe_unused]] const std::size_t a = i >> 16 & 65535, b = i >> 32 & 65535, c = i >> 48;
    using codegen::vector_opcode;
    [[maybe_unused]] constexpr auto what = static_cast<unsigned>(Instance & 255),
                                    pattern = static_cast<unsigned>(Instance >> 48);
    constexpr auto vector = static_cast<vector_opcode>(what);
    [[maybe_unused]] constexpr std::size_t lanes = Lanes;
    [[maybe_unused]] auto& w = slots.vectors;
    if constexpr (vector < vector_opcode::arithmetic) {
        kernel::step<what, static_cast<unsigned>(Instance >> 8 & 255), Own>(v, slot, i, context);
    } else if constexpr (vector == vector_opcode::copy) {
        v[slot] = v[a];
    } else if constexpr (vector == vector_opcode::calls) {
        kernel::call_together<static_cast<unsigned>(Instance >> 8 & 255), static_cast<std::size_t>(pattern)>(v, a);
    } else if constexpr (vector == vector_opcode::lane) {
        if (__builtin_is_constant_evaluated())
            v[slot] = slots.numbers.values[a * lanes + b];
        else
            v[slot] = w[a][b];
    } else if (__builtin_is_constant_evaluated()) {
        for (std::size_t l = 0; l < lanes; ++l)
            kernel::compute_lane<what, Lanes, pattern>(v, slots.numbers.values, slot, a, b, c, l, context);
    } else if constexpr (vector < vector_opcode::load_variables) {
        kernel::formula_of<what - static_cast<unsigned>(vector_opcode::arithmetic)>(w, slot, a, b, c);
    } else if constexpr (vector == vector_opcode::load_variables) {
        w[slot] = kernel::lanes_at<T, Lanes>(context.variables, a);
    } else if constexpr (vector == vector_opcode::load_numbers) {
        w[slot] = kernel::lanes_at<T, Lanes>(context.numbers, a);
    } else if constexpr (vector == vector_opcode::store) {
        kernel::store_lanes<T, Lanes>(context.outputs, b, w[a]);
    } else if constexpr (Lanes == 2) {
        if constexpr (vector == vector_opcode::spread)
            w[slot] = vector_of<T, Lanes>{v[a], v[a]};
        else if constexpr (vector == vector_opcode::gather)
            w[slot] = vector_of<T, Lanes>{v[slot - 2], v[slot - 1]};
        else
            w[slot] = CHAINRULE_LANES_OF(w[a], w[b], pattern & 7, pattern >> 3 & 7);
    } else {
        if constexpr (vector == vector_opcode::spread)
            w[slot] = vector_of<T, Lanes>{v[a], v[a], v[a], v[a]};
        else if constexpr (vector == vector_opcode::gather)
            w[slot] = vector_of<T, Lanes>{v[slot - 4], v[slot - 3], v[slot - 2], v[slot - 1]};
        else
            w[slot] = CHAINRULE_LANES_OF(w[a], w[b], pattern & 7, pattern >> 3 & 7, pattern >> 6 & 7, pattern >> 9 & 7);
    }
}

} // namespace chainrule::kernel
