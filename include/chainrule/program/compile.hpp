// SPDX-License-Identifier: BSL-1.0
//
// The whole compiler: which program computes what is asked of these expressions? Everything asked together becomes one
// program. The stages are derive, products and schedule; between constant evaluations what they made is frozen
// into arrays (program/words.hpp), and in the end into template arguments (kernel/emit.hpp).
#pragma once

#include <chainrule/kernel/emit.hpp>
#include <chainrule/program/derive.hpp>
#include <chainrule/program/products.hpp>
#include <chainrule/program/schedule.hpp>
#include <chainrule/program/type_list.hpp>
#include <chainrule/program/words.hpp>

#include <array>

namespace chainrule::program {

template <>
struct words_of<plan> : words<plan, 2> {
    static constexpr void put(const plan& p, int* to) {
        to[0] = p.first;
        to[1] = p.count | p.guards << 20;
    }
    static constexpr plan get(const int* from) { return {from[0], from[1] & 0xFFFFF, 0, 0, from[1] >> 20}; }
};

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
    std::array<kernel::packed, 2 * Capacity> body{};
    frozen_list<coefficient, Capacity> constants{};

    // Slots are numbered in 16 bits.
    [[nodiscard]] constexpr bool complete() const {
        return size <= 2 * Capacity && constant_count <= Capacity && size + constant_count < 65536;
    }
};

/// A problem in arrays of fixed capacity.
template <int Capacity>
struct frozen_problem {
    int variable_count = 0;
    int unused = -1;
    frozen_list<node, Capacity> nodes{};
    frozen_list<term, Capacity> canonical{};
    frozen_list<term, 4 * Capacity> pool{};
    frozen_list<coefficient, Capacity / 4> magnitudes{};
    frozen_list<term, Capacity> outputs{};
    int own_function_count = 0;
    hash_value own_functions[own_function_limit]{};

    [[nodiscard]] constexpr bool complete() const {
        return nodes.complete() && pool.complete() && magnitudes.complete() && outputs.complete();
    }
};

template <int Capacity>
[[nodiscard]] constexpr frozen_problem<Capacity> freeze(problem p) {
    frozen_problem<Capacity> f;
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    note_value_products(p.g);
    f.nodes.fill(p.g.nodes);
    f.canonical.fill(p.g.canonical_terms);
    f.pool.fill(p.g.pool);
    f.magnitudes.fill(p.g.coefficients.magnitudes);
    f.outputs.fill(p.outputs);
    for (const own_function_entry& e : p.g.own_functions) f.own_functions[f.own_function_count++] = e.hash;
    return f;
}

/// Shared products in arrays, with the terms and coefficients that they led to.
template <int Capacity>
struct frozen_products {
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
constexpr void thaw(const frozen_problem<Capacity>& p, graph_data& g, list<term>& outputs) {
    p.nodes.read(g.nodes);
    p.canonical.read(g.canonical_terms);
    p.pool.read(g.pool);
    p.magnitudes.read(g.coefficients.magnitudes);
    p.outputs.read(outputs);
}

template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> share_products(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g;
    thaw(p, g, outputs);
    const shared_products s = product_sharing(g).run(outputs);
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
        if (s.what > operation::constant) s.a = place[s.a];
        if (s.what < operation::sine_cosine) s.b = place[s.b];
        s.c = place[s.c];
        if (f.size < 2 * Capacity) f.body[static_cast<std::size_t>(f.size)] = kernel::pack(s);
        ++f.size;
    }
    f.constants.fill(c.constants);
    return f;
}

template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> schedule(const frozen_problem<Capacity>& p,
                                                  const frozen_products<Capacity>& products) {
    list<term> outputs;
    graph_data g;
    p.nodes.read(g.nodes);
    products.pool.read(g.pool);
    products.magnitudes.read(g.coefficients.magnitudes);
    products.outputs.read(outputs);
    shared_products shared;
    products.needed.read(shared.needed);
    products.as_written.read(shared.as_written);
    products.plan_of.read(shared.plan_of);
    products.plans.read(shared.plans);
    products.literals.read(shared.literals);
    return freeze<Capacity>(scheduler(g, shared).run(outputs), p);
}

/// The sharing of products and scheduling in one evaluation.
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> schedule(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g;
    thaw(p, g, outputs);
    const shared_products shared = product_sharing(g).run(outputs);
    return freeze<Capacity>(scheduler(g, shared).run(outputs), p);
}

/// A request in stages of a capacity. The compilers limit the steps of one constant evaluation: clang to 2^20, so that
/// there are three stages, g++ to 2^25 of a finer kind, for which two do and take less time, but for higher derivatives.
template <unsigned Request, int Wrt, class Variables, class Expressions, int Capacity>
struct staged {
    static constexpr auto derived =
        freeze<Capacity>(derive<Request, Wrt>(Variables{}, Expressions{}, cheapest_way<Request, Wrt, Variables>(Expressions{})));
};
template <unsigned Request, int Wrt, class Variables, class Expressions, int Capacity = 1 << 13>
struct sufficient
    : std::conditional_t<staged<Request, Wrt, Variables, Expressions, Capacity>::derived.complete(),
                         std::type_identity<staged<Request, Wrt, Variables, Expressions, Capacity>>,
                         sufficient<Request, Wrt, Variables, Expressions, 1 << 16>> {};
template <unsigned Request, int Wrt, class Variables, class Expressions>
struct sufficient<Request, Wrt, Variables, Expressions, 1 << 16>
    : std::type_identity<staged<Request, Wrt, Variables, Expressions, 1 << 16>> {};

// From derivatives to code, in one evaluation or in two.
template <class Stages, bool Divided>
struct scheduled {
    static constexpr auto code = schedule(Stages::derived);
};
template <class Stages>
struct scheduled<Stages, true> {
    static constexpr auto products = share_products(Stages::derived);
    static_assert(products.complete(), "function: the derivatives have more factors than the compiler provides for; ask "
                                       "for fewer derivatives at once, or use tape mode");
    static constexpr auto code = schedule(Stages::derived, products);
};

template <unsigned Request, int Wrt, class Variables, class Expressions>
struct compiled {
private:
    using stages = typename sufficient<Request, Wrt, Variables, Expressions>::type;
    static_assert(stages::derived.complete(), "function: the derivatives need more than 65536 nodes; ask for fewer at once, "
                                              "or use tape mode");
#if defined(__clang__)
    static constexpr bool divided = true;
#else
    static constexpr bool divided = (Request & ~(values | jacobians)) != 0;
#endif

public:
    static constexpr const auto& code = scheduled<stages, divided>::code;
    static_assert(code.complete(), "function: the program needs more than 65000 instructions; ask for fewer derivatives at "
                                   "once, or use tape mode");

private:
    template <std::size_t... K>
    static auto own(std::index_sequence<K...>) -> type_list<own_function_type<stages::derived.own_functions[K]>...>;

public:
    /// The functions that are not in the table, in the order of their numbers.
    using own_functions = decltype(own(std::make_index_sequence<static_cast<std::size_t>(stages::derived.own_function_count)>{}));

private:
    template <std::size_t... C, std::size_t... I>
    static auto pack(std::index_sequence<C...>, std::index_sequence<I...>)
        -> kernel::runner<kernel::constant_slots<kernel::constant_slot<
                              code.constants.words[3 * C], code.constants.words[3 * C + 1], code.constants.words[3 * C + 2]>...>,
                          kernel::instructions<code.pair_places, code.conditional, code.body[I]...>, own_functions>;

public:
    using runner = decltype(pack(std::make_index_sequence<static_cast<std::size_t>(code.constant_count)>{},
                                 std::make_index_sequence<static_cast<std::size_t>(code.size)>{}));
};

} // namespace chainrule::program
