// SPDX-License-Identifier: BSL-1.0
//
// What passes from one constant evaluation to the next: problems, products and code in arrays of fixed capacity, where
// lists are words of a built-in type (graph/words.hpp).
#pragma once

#include <chainrule/codegen/packed.hpp>
#include <chainrule/differentiate/derive.hpp>
#include <chainrule/optimise/products.hpp>
#include <chainrule/codegen/schedule.hpp>
#include <chainrule/graph/words.hpp>

#include <array>

namespace chainrule {

template <>
struct graph::words_of<optimise::plan> : words<optimise::plan, 4> {
    static constexpr void put(const optimise::plan& p, int* to) {
        to[0] = p.first;
        to[1] = p.count | p.guards << 20;
        to[2] = p.id;
        to[3] = p.c;
    }
    static constexpr optimise::plan get(const int* from) { return {from[0], from[1] & 0xFFFFF, from[2], from[3], from[1] >> 20}; }
};

template <>
struct graph::words_of<codegen::instruction> : words<codegen::instruction, 4> {
    static constexpr void put(const codegen::instruction& s, int* to) {
        to[0] = static_cast<int>(s.what) | static_cast<int>(s.function) << 8;
        to[1] = s.a;
        to[2] = s.b;
        to[3] = s.c;
    }
    static constexpr codegen::instruction get(const int* from) {
        return {static_cast<codegen::operation>(from[0] & 255), static_cast<unsigned char>(from[0] >> 8), from[1], from[2], from[3]};
    }
};

template <>
struct graph::words_of<optimise::scaled_value> : words<optimise::scaled_value, 3> {
    static constexpr void put(const optimise::scaled_value& v, int* to) {
        to[0] = v.c;
        to[1] = v.id;
        to[2] = v.next;
    }
    static constexpr optimise::scaled_value get(const int* from) { return {from[0], from[1], from[2]}; }
};

namespace codegen {

/// A program in arrays of fixed capacity.
template <int Capacity>
struct frozen {
    int size = 0;
    int constant_count = 0;
    int output_count = 0;
    int pair_places = 0;
    bool conditional = false;
    int variable_count = 0; // inputs, known ones first
    int unused = -1;        // a known input, not one to differentiate by, that does not occur, or -1
    std::array<kernel::packed, static_cast<std::size_t>(2 * Capacity)> body{};
    frozen_list<coefficient, Capacity> constants{};

    // Slots are numbered in 16 bits.
    [[nodiscard]] constexpr bool complete() const {
        return size <= 2 * Capacity && constant_count <= Capacity && size + constant_count < 65536;
    }
};

/// Where a sweep stopped, in arrays of fixed capacity.
template <int Capacity>
struct frozen_sweep {
    int next = -1;
    int value_count = 0;
    frozen_list<int, Capacity> variables{};
    frozen_list<int, Capacity> heads{};
    frozen_list<term, 4 * Capacity> values{};
    frozen_list<int, 4 * Capacity> earlier{};

    constexpr void fill(const paused_sweep& s) {
        next = s.next;
        value_count = s.value_count;
        if (next < 0) return;
        variables.fill(s.variables);
        heads.fill(s.heads);
        values.fill(s.values);
        earlier.fill(s.earlier);
    }
    constexpr void read(paused_sweep& s) const {
        s.next = next;
        s.value_count = value_count;
        variables.read(s.variables);
        heads.read(s.heads);
        values.read(s.values);
        earlier.read(s.earlier);
    }
    [[nodiscard]] constexpr bool complete() const { return variables.complete() && heads.complete() && values.complete(); }
};

/// A problem in arrays of fixed capacity.
template <int Capacity>
struct frozen_problem {
    int variable_count = 0;
    int unused = -1;
    int factor_pairs = 0; // in all products
    frozen_list<node, Capacity> nodes{};
    frozen_list<term, Capacity> canonical{};
    frozen_list<term, 4 * Capacity> pool{};
    frozen_list<coefficient, Capacity / 4> magnitudes{};
    frozen_list<term, Capacity> outputs{};
    frozen_list<term, Capacity> unasked{};
    int own_function_count = 0;
    hash_value own_functions[own_function_limit]{};
    frozen_sweep<Capacity> sweep{}; // what is left to be derived

    [[nodiscard]] constexpr bool complete() const {
        return nodes.complete() && pool.complete() && magnitudes.complete() && outputs.complete() && unasked.complete() && sweep.complete();
    }
};

template <int Capacity>
[[nodiscard]] constexpr frozen_problem<Capacity> freeze(problem&& p) {
    frozen_problem<Capacity> f;
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    f.sweep.fill(p.sweep);
    if (f.sweep.next < 0) {
        note_value_products(p.g);
        for (int id = 0; id < p.g.nodes.count; ++id)
            if (p.g.nodes.items[id].what == kind::product) f.factor_pairs += p.g.nodes.items[id].b * (p.g.nodes.items[id].b - 1) / 2;
    }
    f.nodes.fill(p.g.nodes);
    f.canonical.fill(p.g.canonical_terms);
    f.pool.fill(p.g.pool);
    f.magnitudes.fill(p.g.coefficients.magnitudes);
    f.outputs.fill(p.outputs);
    f.unasked.fill(p.g.unasked);
    for (const own_function_entry& e : p.g.own_functions) f.own_functions[f.own_function_count++] = e.hash;
    return f;
}

template <int Capacity>
constexpr void thaw(const frozen_problem<Capacity>& p, graph_data& g, list<term>& outputs) {
    p.nodes.read(g.nodes);
    p.canonical.read(g.canonical_terms);
    p.pool.read(g.pool);
    p.magnitudes.read(g.coefficients.magnitudes);
    p.unasked.read(g.unasked);
    p.outputs.read(outputs);
}

/// Shared products in arrays, with the terms and coefficients that they led to.
template <int Capacity>
struct frozen_products {
    bool pairs_left = false; // whether there is something left to extract
    frozen_list<bool, Capacity> needed{};
    frozen_list<bool, Capacity> as_written{};
    frozen_list<term, 4 * Capacity> pool{};
    frozen_list<term, Capacity> outputs{};
    frozen_list<int, 2 * Capacity> plan_of{};
    frozen_list<plan, 2 * Capacity> plans{};
    frozen_list<int, 8 * Capacity> literals{};
    frozen_list<coefficient, Capacity> magnitudes{};

    [[nodiscard]] constexpr bool complete() const {
        return plan_of.complete() && plans.complete() && literals.complete() && magnitudes.complete();
    }
};

template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> freeze(const shared_products& s, const graph_data& g, const list<term>& outputs) {
    frozen_products<Capacity> f;
    f.needed.fill(s.needed);
    f.as_written.fill(s.as_written);
    f.pool.fill(g.pool);
    f.outputs.fill(outputs);
    f.plan_of.fill(s.plan_of);
    f.plans.fill(s.plans);
    f.literals.fill(s.literals);
    f.magnitudes.fill(g.coefficients.magnitudes);
    return f;
}
template <int Capacity>
constexpr void thaw(const frozen_products<Capacity>& f, const frozen_problem<Capacity>& p, graph_data& g, list<term>& outputs) {
    p.nodes.read(g.nodes);
    f.pool.read(g.pool);
    f.magnitudes.read(g.coefficients.magnitudes);
    p.unasked.read(g.unasked);
    f.outputs.read(outputs);
}
template <int Capacity>
constexpr void thaw(const frozen_products<Capacity>& f, shared_products& s) {
    f.needed.read(s.needed);
    f.as_written.read(s.as_written);
    f.plan_of.read(s.plan_of);
    f.plans.read(s.plans);
    f.literals.read(s.literals);
}

/// Products as they were collected, with the values that are known, in arrays.
template <int Capacity>
struct frozen_collection {
    frozen_products<Capacity> products{};
    frozen_list<term, Capacity> realized{};
    frozen_list<int, Capacity> scaled_heads{};
    frozen_list<scaled_value, Capacity> scaled{};

    [[nodiscard]] constexpr bool complete() const { return products.complete() && scaled.complete(); }
};

/// Emitted code in arrays, before it is put in order.
template <int Capacity>
struct frozen_code {
    int pair_places = 0;
    int calls_end = 0;
    bool conditional = false;
    frozen_list<instruction, 2 * Capacity> body{};
    frozen_list<coefficient, Capacity> constants{};

    [[nodiscard]] constexpr bool complete() const { return body.complete() && constants.complete(); }
};

/// A program in arrays, its constants in the first slots.
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> freeze(const code& c, const frozen_problem<Capacity>& p) {
    frozen<Capacity> f;
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    f.output_count = p.outputs.size;
    const instruction* const body = c.body.begin();
    list<int> places(c.body.count, 0);
    int* const place = places.begin();
    int next = c.constants.size();
    f.constant_count = next;
    f.pair_places = c.pair_places;
    f.conditional = c.conditional;
    for (int i = 0; i < c.body.count; ++i) {
        instruction s = body[i];
        if (s.what == operation::constant) {
            place[i] = s.a;
            continue;
        }
        place[i] = next++;
        const int operands = slots_read(s.what);
        if (operands > 0) s.a = place[s.a];
        if (operands > 1) s.b = place[s.b];
        if (operands > 2) s.c = place[s.c];
        if (f.size < 2 * Capacity) f.body[static_cast<std::size_t>(f.size)] = kernel::pack(s);
        ++f.size;
    }
    f.constants.fill(c.constants);
    return f;
}

} // namespace codegen

} // namespace chainrule
