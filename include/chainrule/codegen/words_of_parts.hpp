// SPDX-License-Identifier: BSL-1.0
//
// The elements of the lists of a compilation as words of a built-in type, for codegen/saved.hpp: how many words each
// has, and their order.
#pragma once

#include <chainrule/codegen/passes.hpp>
#include <chainrule/graph/words.hpp>

namespace chainrule {

template <>
struct graph::words_of<optimise::factored_product> : words<optimise::factored_product, 4> {
    template <int... I>
    static constexpr void put(const optimise::factored_product* from, int* to, std::integer_sequence<int, I...>) {
        ((to[4 * I] = from[I].first, to[4 * I + 1] = from[I].count | from[I].guards << 20, to[4 * I + 2] = from[I].id,
          to[4 * I + 3] = from[I].c),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, optimise::factored_product* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[4 * I], from[4 * I + 1] & 0xFFFFF, from[4 * I + 2], from[4 * I + 3], from[4 * I + 1] >> 20}),
         ...);
    }
};

template <>
struct graph::words_of<codegen::instruction> : words<codegen::instruction, 4> {
    template <int... I>
    static constexpr void put(const codegen::instruction* from, int* to, std::integer_sequence<int, I...>) {
        ((to[4 * I] = static_cast<int>(from[I].what) | static_cast<int>(from[I].function) << 8,
          to[4 * I + 1] = from[I].a, to[4 * I + 2] = from[I].b, to[4 * I + 3] = from[I].c),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, codegen::instruction* to, std::integer_sequence<int, I...>) {
        ((to[I] = {static_cast<codegen::opcode>(from[4 * I] & 255), static_cast<unsigned char>(from[4 * I] >> 8),
                   from[4 * I + 1], from[4 * I + 2], from[4 * I + 3]}),
         ...);
    }
};

template <>
struct graph::words_of<optimise::scaled_value> : words<optimise::scaled_value, 3> {
    template <int... I>
    static constexpr void put(const optimise::scaled_value* from, int* to, std::integer_sequence<int, I...>) {
        ((to[3 * I] = from[I].c, to[3 * I + 1] = from[I].id, to[3 * I + 2] = from[I].next), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, optimise::scaled_value* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[3 * I], from[3 * I + 1], from[3 * I + 2]}), ...);
    }
};

template <>
struct graph::words_of<differentiate::contribution> : words<differentiate::contribution, 3> {
    template <int... I>
    static constexpr void put(const differentiate::contribution* from, int* to, std::integer_sequence<int, I...>) {
        ((to[3 * I] = from[I].value.c, to[3 * I + 1] = from[I].value.id, to[3 * I + 2] = from[I].next), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, differentiate::contribution* to, std::integer_sequence<int, I...>) {
        ((to[I] = {{from[3 * I], from[3 * I + 1]}, from[3 * I + 2]}), ...);
    }
};

template <>
struct graph::words_of<graph::linear_form> : words<graph::linear_form, 5> {
    template <int... I>
    static constexpr void put(const linear_form* from, int* to, std::integer_sequence<int, I...>) {
        ((to[5 * I] = from[I].value, to[5 * I + 1] = from[I].first, to[5 * I + 2] = from[I].count,
          to[5 * I + 3] = from[I].next, to[5 * I + 4] = from[I].slope),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, linear_form* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[5 * I], from[5 * I + 1], from[5 * I + 2], from[5 * I + 3], from[5 * I + 4]}), ...);
    }
};

template <>
struct graph::words_of<optimise::replacement> : words<optimise::replacement, 3> {
    using element = optimise::replacement;
    template <int... I>
    static constexpr void put(const element* from, int* to, std::integer_sequence<int, I...>) {
        ((to[3 * I] = from[I].id, to[3 * I + 1] = from[I].key, to[3 * I + 2] = from[I].next), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, element* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[3 * I], from[3 * I + 1], from[3 * I + 2]}), ...);
    }
};

template <>
struct graph::words_of<optimise::counted_pair> : words<optimise::counted_pair, 4> {
    using element = optimise::counted_pair;
    template <int... I>
    static constexpr void put(const element* from, int* to, std::integer_sequence<int, I...>) {
        ((to[4 * I] = from[I].left, to[4 * I + 1] = from[I].right, to[4 * I + 2] = from[I].count,
          to[4 * I + 3] = from[I].occurrences),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, element* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[4 * I], from[4 * I + 1], from[4 * I + 2], from[4 * I + 3]}), ...);
    }
};

template <>
struct graph::words_of<optimise::factor_use> : words<optimise::factor_use, 2> {
    using element = optimise::factor_use;
    template <int... I>
    static constexpr void put(const element* from, int* to, std::integer_sequence<int, I...>) {
        ((to[2 * I] = from[I].user, to[2 * I + 1] = from[I].next), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, element* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[2 * I], from[2 * I + 1]}), ...);
    }
};

template <>
struct graph::words_of<codegen::node_state> : words<codegen::node_state, 11> {
    using element = codegen::node_state;
    template <int... I>
    static constexpr void put(const element* from, int* to, std::integer_sequence<int, I...>) {
        ((to[11 * I] = from[I].uses, to[11 * I + 1] = from[I].reciprocal_uses, to[11 * I + 2] = from[I].slot,
          to[11 * I + 3] = from[I].reciprocal_slot, to[11 * I + 4] = from[I].reciprocal, to[11 * I + 5] = from[I].sine,
          to[11 * I + 6] = from[I].cosine, to[11 * I + 7] = from[I].pair_slot, to[11 * I + 8] = from[I].pair_place,
          to[11 * I + 9] = from[I].multiple, to[11 * I + 10] = from[I].multiple_slot),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, element* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[11 * I], from[11 * I + 1], from[11 * I + 2], from[11 * I + 3], from[11 * I + 4],
                   from[11 * I + 5], from[11 * I + 6], from[11 * I + 7], from[11 * I + 8], from[11 * I + 9],
                   from[11 * I + 10]}),
         ...);
    }
};

template <>
struct graph::words_of<codegen::instruction_state> : words<codegen::instruction_state, 6> {
    using element = codegen::instruction_state;
    template <int... I>
    static constexpr void put(const element* from, int* to, std::integer_sequence<int, I...>) {
        ((to[6 * I] = from[I].place, to[6 * I + 1] = from[I].arity, to[6 * I + 2] = from[I].remaining,
          to[6 * I + 3] = from[I].lives, to[6 * I + 4] = from[I].uses, to[6 * I + 5] = from[I].window),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, element* to, std::integer_sequence<int, I...>) {
        ((to[I] = {from[6 * I], from[6 * I + 1], from[6 * I + 2], from[6 * I + 3], from[6 * I + 4], from[6 * I + 5]}),
         ...);
    }
};

// Only the derivation needed the formula of a custom function; what remains is the way to its type.
template <>
struct graph::words_of<graph::custom_function_entry> : words<custom_function_entry, 1, integer> {
    template <int... I>
    static constexpr void put(const custom_function_entry* from, integer* to, std::integer_sequence<int, I...>) {
        ((to[I] = static_cast<integer>(from[I].hash)), ...);
    }
    template <int... I>
    static constexpr void get(const integer* from, custom_function_entry* to, std::integer_sequence<int, I...>) {
        ((to[I] = {static_cast<hash_value>(from[I]), nullptr}), ...);
    }
};

} // namespace chainrule
