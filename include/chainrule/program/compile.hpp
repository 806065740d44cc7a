// SPDX-License-Identifier: BSL-1.0
//
// The whole compiler: which program computes what is asked of these expressions? Everything asked together becomes one
// program. The stages are lower, adjoint and schedule; what comes out is frozen into arrays of exact size, and from
// there into template arguments (kernel/emit.hpp).
#pragma once

#include <chainrule/kernel/emit.hpp>
#include <chainrule/program/adjoint.hpp>
#include <chainrule/program/lower.hpp>
#include <chainrule/program/products.hpp>
#include <chainrule/program/schedule.hpp>
#include <chainrule/program/type_list.hpp>

#include <array>

namespace chainrule::program {

/// What is asked: any combination, as a sum.
enum request : unsigned { values = 1, jacobians = 2, hessians = 4 };

/// A program in arrays of fixed capacity.
template <int Capacity>
struct frozen {
    int size = 0;
    int constant_count = 0;
    int output_count = 0;
    int pair_places = 0;
    int variable_count = 0; // inputs, known ones first
    int unused = -1;        // a known input, not one to differentiate by, that does not occur, or -1
    std::array<kernel::packed, 2 * Capacity> body{};
    std::array<coefficient, Capacity> constants{};

    // Slots are numbered in 16 bits.
    [[nodiscard]] constexpr bool complete() const {
        return size <= 2 * Capacity && constant_count <= Capacity && size + constant_count < 65536;
    }
};

/// The graph of expressions with what is asked of them.
struct problem {
    graph g;
    list<term> outputs;
    int variable_count = 0;
    int unused = -1;
};

/// A problem in arrays of fixed capacity: the compilers limit the steps of one constant evaluation, so derivation, the
/// sharing of products and scheduling are three.
template <int Capacity>
struct frozen_problem {
    static constexpr int capacity = Capacity;

    int nodes_size = 0;
    int pool_size = 0;
    int magnitudes_size = 0;
    int outputs_size = 0;
    int variable_count = 0;
    int unused = -1;
    std::array<node, capacity> nodes{};
    std::array<term, capacity> canonical{};
    std::array<term, 4 * capacity> pool{};
    std::array<coefficient, capacity / 4> magnitudes{};
    std::array<term, capacity> outputs{};

    [[nodiscard]] constexpr bool complete() const {
        return nodes_size <= capacity && pool_size <= 4 * capacity && magnitudes_size <= capacity / 4 &&
               outputs_size <= capacity;
    }
};

template <class T, std::size_t Capacity>
constexpr int copy_to(std::array<T, Capacity>& to, const list<T>& from) {
    const int size = from.count < static_cast<int>(Capacity) ? from.count : static_cast<int>(Capacity);
    for (int i = 0; i < size; ++i) to[static_cast<std::size_t>(i)] = from.items[i];
    return from.count;
}
template <class T, std::size_t Capacity>
constexpr void copy_from(const std::array<T, Capacity>& from, int size, list<T>& to) {
    to.truncate(0);
    to.reserve(size);
    for (int i = 0; i < size; ++i) to.push_back(from[static_cast<std::size_t>(i)]);
}

/// Derives what is asked of the expressions E. Inputs are numbered: first Variables in their order (with respect to the
/// first `Wrt` of them derivatives are taken), then any others in order of appearance. The order of the outputs: values,
/// the Jacobian row by row, then for each expression the upper triangle of its Hessian row by row.
template <unsigned Request, int Wrt, class... Variable, class... E>
[[nodiscard]] constexpr problem derive(type_list<Variable...>, type_list<E...>) {
    problem p;
    graph& g = p.g;
    lowering l(g);
    (void)(0 + ... + l.variable_number(Variable::hash, Variable::text));
    list<int> roots;
    int number = 0;
    ((roots.push_back(l.template run<E>(number)), number += int{E::numbers}), ...);
    p.variable_count = l.variables.size();
    // The variables by which to differentiate need not occur: their derivatives are zero then.
    for (int i = static_cast<int>(sizeof...(Variable)) - 1; i >= Wrt; --i)
        if (!l.used[i]) p.unused = i;

    if constexpr ((Request & values) != 0)
        for (int i = 0; i < roots.count; ++i) p.outputs.push_back({0, roots.items[i]});
    if constexpr ((Request & (jacobians | hessians)) != 0) {
        list<int> wrt;
        for (int i = 0; i < Wrt; ++i) wrt.push_back(l.variables[i].node);
        if constexpr ((Request & values) != 0) g.note_linear_forms();
        adjoint_sweep sweep(g, wrt);
        list<term> gradients;
        for (int i = 0; i < roots.count; ++i) sweep.run({0, roots.items[i]}, gradients);
        if constexpr ((Request & jacobians) != 0)
            for (int i = 0; i < gradients.count; ++i) p.outputs.push_back(gradients.items[i]);
        if constexpr ((Request & hessians) != 0)
            for (int i = 0; i < gradients.count; ++i) sweep.run(gradients.items[i], p.outputs, i % Wrt);
    }
    return p;
}

template <int Capacity>
[[nodiscard]] constexpr frozen_problem<Capacity> freeze(problem p) {
    frozen_problem<Capacity> f;
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    note_value_products(p.g);
    f.nodes_size = copy_to(f.nodes, p.g.nodes);
    copy_to(f.canonical, static_cast<graph_data&>(p.g).canonical);
    f.pool_size = copy_to(f.pool, p.g.pool);
    f.magnitudes_size = copy_to(f.magnitudes, p.g.coefficients.magnitudes);
    f.outputs_size = copy_to(f.outputs, p.outputs);
    return f;
}

template <int Capacity>
constexpr graph_data thaw(const frozen_problem<Capacity>& p, list<term>& outputs) {
    graph_data g;
    copy_from(p.nodes, p.nodes_size, g.nodes);
    copy_from(p.canonical, p.nodes_size, g.canonical);
    copy_from(p.pool, p.pool_size, g.pool);
    copy_from(p.magnitudes, p.magnitudes_size, g.coefficients.magnitudes);
    copy_from(p.outputs, p.outputs_size, outputs);
    return g;
}

/// Shared products in arrays, with the terms and coefficients that they led to.
template <int Capacity>
struct frozen_products {
    int nodes_size = 0;
    int pool_size = 0;
    int outputs_size = 0;
    int plan_of_size = 0;
    int plans_size = 0;
    int literals_size = 0;
    int magnitudes_size = 0;
    std::array<bool, Capacity> needed{};
    std::array<bool, Capacity> as_written{};
    std::array<term, 4 * Capacity> pool{};
    std::array<term, Capacity> outputs{};
    std::array<int, 2 * Capacity> plan_of{};
    std::array<plan, 2 * Capacity> plans{};
    std::array<int, 8 * Capacity> literals{};
    std::array<coefficient, Capacity> magnitudes{};

    [[nodiscard]] constexpr bool complete() const {
        return plan_of_size <= 2 * Capacity && literals_size <= 8 * Capacity && magnitudes_size <= Capacity;
    }
};

template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> share_products(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g = thaw(p, outputs);
    const shared_products s = product_sharing(g).run(outputs);
    frozen_products<Capacity> f;
    f.nodes_size = copy_to(f.needed, s.needed);
    copy_to(f.as_written, s.as_written);
    f.pool_size = copy_to(f.pool, g.pool);
    f.outputs_size = copy_to(f.outputs, outputs);
    f.plan_of_size = copy_to(f.plan_of, s.plan_of);
    f.plans_size = copy_to(f.plans, s.plans);
    f.literals_size = copy_to(f.literals, s.literals);
    f.magnitudes_size = copy_to(f.magnitudes, g.coefficients.magnitudes);
    return f;
}

/// A program in arrays, its constants in the first slots.
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> freeze(const code& c) {
    frozen<Capacity> f;
    const instruction* const body = c.body.begin();
    list<int> places(c.body.count, 0);
    int* const place = places.begin();
    int next = c.constants.size();
    f.constant_count = next;
    f.pair_places = c.pair_places;
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
    for (int i = 0; i < c.constants.size() && i < Capacity; ++i)
        f.constants[static_cast<std::size_t>(i)] = c.constants[i];
    return f;
}

template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> schedule(const frozen_problem<Capacity>& p,
                                                  const frozen_products<Capacity>& products) {
    list<term> outputs;
    graph_data g;
    copy_from(p.nodes, p.nodes_size, g.nodes);
    copy_from(products.pool, products.pool_size, g.pool);
    copy_from(products.magnitudes, products.magnitudes_size, g.coefficients.magnitudes);
    copy_from(products.outputs, products.outputs_size, outputs);
    shared_products shared;
    copy_from(products.needed, products.nodes_size, shared.needed);
    copy_from(products.as_written, products.nodes_size, shared.as_written);
    copy_from(products.plan_of, products.plan_of_size, shared.plan_of);
    copy_from(products.plans, products.plans_size, shared.plans);
    copy_from(products.literals, products.literals_size, shared.literals);
    frozen<Capacity> f = freeze<Capacity>(scheduler(g, shared).run(outputs));
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    f.output_count = p.outputs_size;
    return f;
}

/// All stages in one evaluation.
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> compile(problem p) {
    frozen<Capacity> f = freeze<Capacity>(schedule(p.g, p.outputs));
    f.variable_count = p.variable_count;
    f.unused = p.unused;
    f.output_count = p.outputs.count;
    return f;
}

/// How many value nodes expressions have.
template <class Expressions>
struct value_size;
template <class... E>
struct value_size<type_list<E...>> {
private:
    static constexpr int count() {
        graph g;
        lowering l(g);
        ((void)l.template run<E>(), ...);
        return g.size();
    }

public:
    static constexpr int value = count();
};

#if defined(__clang__)
/// The program for a request, in three evaluations: clang gives up on one after 2^20 steps.
template <unsigned Request, int Wrt, class Variables, class Expressions>
struct staged {
private:
    // Derivatives rarely need more than four nodes per value node and sweep.
    static constexpr int expected = value_size<Expressions>::value *
                                    (Request == values ? 1 : (Request & hessians) == 0 ? 4 * Expressions::size
                                                                                       : 4 * (Wrt + 1)) +
                                    64;
    static constexpr int first_capacity = static_cast<int>(std::bit_ceil(static_cast<unsigned>(expected)));
    static constexpr int last_capacity = 1 << 16;

    template <int Capacity>
    static constexpr auto derive_into() {
        return freeze<Capacity>(derive<Request, Wrt>(Variables{}, Expressions{}));
    }
    static constexpr auto derive_all() {
        constexpr auto p = derive_into<first_capacity>();
        if constexpr (p.complete() || first_capacity >= last_capacity)
            return p;
        else
            return derive_into<last_capacity>();
    }
    static constexpr auto derived = derive_all();
    static_assert(derived.complete(), "function: the derivatives need more than 65536 nodes; ask for fewer at once, or "
                                      "use tape mode");
    static constexpr auto products = share_products(derived);
    static_assert(products.complete(), "function: the derivatives have more factors than the compiler provides for; ask "
                                       "for fewer derivatives at once, or use tape mode");

public:
    static constexpr auto code = schedule(derived, products);
};
#endif

template <unsigned Request, int Wrt, class Variables, class Expressions>
struct compiled {
#if defined(__clang__)
    static constexpr auto code = staged<Request, Wrt, Variables, Expressions>::code;
#else
    static constexpr auto code = compile<1 << 15>(derive<Request, Wrt>(Variables{}, Expressions{}));
#endif
    static_assert(code.complete(), "function: the program needs more than 65000 instructions; ask for fewer derivatives at "
                                   "once, or use tape mode");

private:
    template <std::size_t... C, std::size_t... I>
    static auto pack(std::index_sequence<C...>, std::index_sequence<I...>)
        -> kernel::runner<kernel::constant_slots<kernel::constant_slot<
                              code.constants[C].exact() ? static_cast<kernel::packed>(code.constants[C].numerator)
                                                        : std::bit_cast<kernel::packed>(code.constants[C].high),
                              static_cast<kernel::packed>(code.constants[C].denominator),
                              code.constants[C].exact() ? 0 : std::bit_cast<kernel::packed>(code.constants[C].low)>...>,
                          kernel::instructions<code.pair_places, code.body[I]...>>;

public:
    using runner = decltype(pack(std::make_index_sequence<static_cast<std::size_t>(code.constant_count)>{},
                                 std::make_index_sequence<static_cast<std::size_t>(code.size)>{}));
};

} // namespace chainrule::program
