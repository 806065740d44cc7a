// SPDX-License-Identifier: BSL-1.0
//
// Turns a program on numbers with tangents (codegen/tangent_program.hpp) into machine code: for dense Hessians of long
// programs, where operations on vectors are fewer than those of the entries one by one, and for dual numbers
// (kernel/emit_dual_numbers.hpp).
#pragma once

#include <chainrule/codegen/tangent_program.hpp>
#include <chainrule/core/lanes.hpp>
#include <chainrule/differentiate/partials.hpp>
#include <chainrule/kernel/emit_vectors.hpp>
#include <chainrule/kernel/step.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace chainrule::kernel {

/// The derivatives of the table's functions of one number. (functions/derivatives.hpp has a class for each row, which
/// all programs would have to parse.)
struct unary_slopes : evaluation {
    template <unsigned Function, class T>
    CHAINRULE_STEP static constexpr T of([[maybe_unused]] const T& x, [[maybe_unused]] const T& r) {
#define CHAINRULE_UNARY(NAME, VALUE, BY_X, ...)                                                                        \
    if constexpr (Function == static_cast<unsigned>(functions::index::NAME)) return BY_X;
#define CHAINRULE_NOT_UNARY(...)
        CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_NOT_UNARY, CHAINRULE_NOT_UNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_NOT_UNARY
    }
};

/// Whether a program with such an instruction may have tangents. A function whose derivative calls others does not,
/// since a call costs more than vectors save.
template <codegen::packed Instance>
[[nodiscard]] consteval bool has_tangents() {
    constexpr auto what = static_cast<codegen::opcode>(Instance & 255);
    if constexpr (what == codegen::opcode::call) {
        constexpr unsigned function = static_cast<unsigned>(Instance >> 8 & 255);
        if constexpr (function >= graph::first_custom_function)
            return false;
        else if constexpr (int{functions::row_at<function>::type::arity} != 1)
            return false;
        else
            return differentiate::has_arithmetic_derivative(function);
    } else {
        return what != codegen::opcode::condition && what != codegen::opcode::select;
    }
}

/// The lanes in a set; the others are zero.
template <class T, int Lanes>
CHAINRULE_STEP inline vector_of<T, Lanes> only(const vector_of<T, Lanes>& all, codegen::variable_set set) {
    using word = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    using words = vector_of<word, Lanes>;
    const auto bits = static_cast<word>(set);
    if constexpr (Lanes == 2)
        return reinterpret_cast<vector_of<T, Lanes>>(reinterpret_cast<words>(all) &
                                                     words{-(bits & 1), -(bits >> 1 & 1)});
    else
        return reinterpret_cast<vector_of<T, Lanes>>(
            reinterpret_cast<words>(all) & words{-(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 3 & 1)});
}
template <class T, int Lanes>
CHAINRULE_STEP inline vector_of<T, Lanes> in_all_lanes(T x) {
    if constexpr (Lanes == 2)
        return vector_of<T, Lanes>{x, x};
    else
        return vector_of<T, Lanes>{x, x, x, x};
}

/// Writes the tangents of a group to those of a number. The last group may have fewer.
template <class T, int Lanes, int Columns>
CHAINRULE_STEP inline void store_tangents(T* of_number, std::size_t group, const vector_of<T, Lanes>& tangents) {
    if (group * Lanes + Lanes <= std::size_t{Columns})
        simd::store(of_number + group * Lanes, tangents);
    else
        for (std::size_t k = 0; group * Lanes + k < std::size_t{Columns}; ++k)
            of_number[group * Lanes + k] = tangents[k];
}

/// Adds a slope times the tangents of an operand, or begins with them. Lanes beside the set stay zero, even if the
/// slope is infinite.
template <codegen::tangent_kind Kind, bool First, class T, int Lanes>
CHAINRULE_STEP inline void add_tangents(vector_of<T, Lanes>& to, T slope, const vector_of<T, Lanes>& of,
                                        [[maybe_unused]] codegen::variable_set set) {
    using codegen::tangent_kind;
    if constexpr (Kind == tangent_kind::full && First)
        to = slope * of;
    else if constexpr (Kind == tangent_kind::full)
        to = to + slope * of;
    else if constexpr (Kind == tangent_kind::partial && First)
        to = kernel::only<T, Lanes>(slope * of, set);
    else if constexpr (Kind == tangent_kind::partial)
        to = to + kernel::only<T, Lanes>(slope * of, set);
    else if constexpr (First)
        to = kernel::only<T, Lanes>(kernel::in_all_lanes<T, Lanes>(slope), set);
    else
        to = to + kernel::only<T, Lanes>(kernel::in_all_lanes<T, Lanes>(slope), set);
}

/// What steps refer to that compute the tangents of a gradient.
template <class T, int Lanes, int Columns>
struct tangent_context {
    static constexpr auto from = codegen::seeds::unit;
    static constexpr std::size_t groups = codegen::group_count(Columns, Lanes);
    const T* v;
    const T* pairs;
    const bool* conditions;        // none
    vector_of<T, Lanes>* tangents; // of each slot, group by group
    const codegen::variable_set* moving;
    T* hessian; // row by row

    CHAINRULE_STEP codegen::variable_set moving_lanes(std::size_t slot, std::size_t group) const {
        return moving[slot] >> group * Lanes;
    }
    CHAINRULE_STEP void write_row(std::size_t row, std::size_t group, const vector_of<T, Lanes>& entries) const {
        kernel::store_tangents<T, Lanes, Columns>(hessian + row * std::size_t{Columns}, group, entries);
    }
};

/// Computes the tangents of an instruction in a group. (Without objects that hold vectors: clang took minutes to split
/// those of a long program into registers.)
template <unsigned Instance, unsigned Tag, class Own, class T, int Lanes, class Context>
CHAINRULE_STEP inline void compute_tangents(const Context& context, codegen::packed i, std::uint32_t tag) {
    using codegen::opcode;
    using codegen::tangent_kind;
    constexpr auto what = static_cast<opcode>(Instance & 255);
    constexpr codegen::tangent_tag known = codegen::tangent_tag::unpack(Tag << 21);
    constexpr bool first[] = {true, known.of[0] == tangent_kind::zero,
                              known.of[0] == tangent_kind::zero && known.of[1] == tangent_kind::zero};
    [[maybe_unused]] constexpr std::size_t groups = Context::groups;
    // Macros, since debug information would describe variables for each step.
#define v context.v
#define a (i >> 16 & 65535)
#define b (i >> 32 & 65535)
#define c (i >> 48)
#define slot (tag & 65535)
#define group (tag >> 16 & 31)
#define CHAINRULE_TANGENTS(SLOT) context.tangents[(SLOT) * groups + group]
#define CHAINRULE_ADD(K, SLOT, SLOPE)                                                                                  \
    if constexpr (known.of[K] != tangent_kind::zero)                                                                   \
    kernel::add_tangents<known.of[K], first[K], T, Lanes>(CHAINRULE_TANGENTS(slot), static_cast<T>(SLOPE),             \
                                                          CHAINRULE_TANGENTS(SLOT), context.moving_lanes(SLOT, group))
    if constexpr (what == opcode::output && Context::from == codegen::seeds::unit) {
        CHAINRULE_TANGENTS(slot) = vector_of<T, Lanes>{};
        CHAINRULE_ADD(0, a, 1);
        context.write_row(b, group, CHAINRULE_TANGENTS(slot));
    } else if constexpr (what == opcode::output) {
        context.template write<known.of[0] != tangent_kind::zero>(b, a);
    } else if constexpr (what == opcode::variable) {
        context.read(context.variables, a, group, CHAINRULE_TANGENTS(slot));
    } else if constexpr (what == opcode::number) {
        context.read(context.numbers, a, group, CHAINRULE_TANGENTS(slot));
    } else if constexpr (what == opcode::select) {
        const bool chosen = context.conditions[a];
        if constexpr (known.of[1] == tangent_kind::zero)
            CHAINRULE_TANGENTS(slot) = chosen ? vector_of<T, Lanes>{} : CHAINRULE_TANGENTS(c);
        else if constexpr (known.of[2] == tangent_kind::zero)
            CHAINRULE_TANGENTS(slot) = chosen ? CHAINRULE_TANGENTS(b) : vector_of<T, Lanes>{};
        else
            CHAINRULE_TANGENTS(slot) = chosen ? CHAINRULE_TANGENTS(b) : CHAINRULE_TANGENTS(c);
    } else if constexpr (what == opcode::reload) {
        CHAINRULE_ADD(0, a, c == 0 ? context.pairs[b + 1] : -context.pairs[b - 1]);
    } else if constexpr (what == opcode::call) {
        constexpr unsigned function = Instance >> 8 & 255;
        if constexpr (Context::from == codegen::seeds::unit) {
            CHAINRULE_ADD(0, a, unary_slopes::of<function>(v[a], v[slot]));
        } else {
            using row = typename functions::row_of<typename graph::called_function<function, Own>::type>::type;
            // Those of the first group are kept for the others: they may call functions.
#define CHAINRULE_ADD_CALL(K, SLOT)                                                                                    \
    if constexpr (K < int{row::arity} && known.of[K] != tangent_kind::zero) {                                          \
        if (group == 0) context.slopes[3 * slot + K] = Context::template slope<K, row>(v, a, b, c, slot);              \
        CHAINRULE_ADD(K, SLOT, context.slopes[3 * slot + K]);                                                          \
    }
            CHAINRULE_ADD_CALL(0, a)
            CHAINRULE_ADD_CALL(1, b)
            CHAINRULE_ADD_CALL(2, c)
#undef CHAINRULE_ADD_CALL
        }
    }
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                     \
    else if constexpr (what == opcode::NAME) {                                                                         \
        CHAINRULE_ADD(0, a, BY_A);                                                                                     \
        CHAINRULE_ADD(1, b, BY_B);                                                                                     \
        CHAINRULE_ADD(2, c, BY_C);                                                                                     \
    }
#define CHAINRULE_OTHER(...)
    CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
#undef CHAINRULE_ADD
#undef CHAINRULE_TANGENTS
#undef v
#undef a
#undef b
#undef c
#undef slot
#undef group
}

/// A step of a tangent program.
template <unsigned Instance, unsigned Tag, class Own, int Lanes, class T, class Context, class Tangents>
CHAINRULE_STEP inline void tangent_step(T* v, const Context& context, const Tangents& tangents, codegen::packed i,
                                        std::uint32_t tag) {
    constexpr bool computes_tangents = codegen::tangent_tag::unpack(Tag << 21).computes_tangents;
    if constexpr (computes_tangents)
        kernel::compute_tangents<Instance, Tag, Own, T, Lanes>(tangents, i, tag);
    else
        kernel::step<Instance & 255, (Instance >> 8 & 255), Own>(v, tag & 65535, i, context);
}

/// The lower triangle of a matrix from the upper one.
template <class T, int Columns>
CHAINRULE_STEP inline void mirror(T* matrix) {
    for (int i = 1; i < Columns; ++i)
        for (int j = 0; j < i; ++j) matrix[i * Columns + j] = matrix[j * Columns + i];
}

} // namespace chainrule::kernel
