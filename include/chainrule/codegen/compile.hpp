// SPDX-License-Identifier: BSL-1.0
//
// The whole compiler, from a request to the program that answers it. The stages are derive, products, pairs, emission
// and order. Several stages make one constant evaluation; between evaluations their results are frozen into arrays
// (codegen/frozen.hpp), and in the end into template arguments (kernel/emit.hpp).
#pragma once

#include <chainrule/codegen/frozen.hpp>
#include <chainrule/core/type_list.hpp>

namespace chainrule::codegen {

/// The next piece of a problem of which something is left to be derived.
template <int Capacity>
[[nodiscard]] constexpr frozen_problem<Capacity> derive_further(const frozen_problem<Capacity>& f, int growth = -1) {
    problem p;
    thaw(f, p.g, p.outputs);
    p.variable_count = f.variable_count;
    p.unused = f.unused;
    f.sweep.read(p.sweep);
    derive_further(p, growth);
    return freeze<Capacity>(static_cast<problem&&>(p));
}

template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> share_products(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g;
    thaw(p, g, outputs);
    shared_products s = product_sharing(g).run(outputs);
    (void)pair_extraction(s).run();
    return freeze<Capacity>(s, g, outputs);
}
// The same in three evaluations.
template <int Capacity>
[[nodiscard]] constexpr frozen_collection<Capacity> collect_products(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g;
    thaw(p, g, outputs);
    product_sharing collection(g);
    collection.collect(outputs);
    frozen_collection<Capacity> f;
    f.products = freeze<Capacity>(collection.products, g, outputs);
    f.realized.fill(collection.values.realized);
    f.scaled_heads.fill(collection.values.scaled_heads);
    f.scaled.fill(collection.values.scaled);
    return f;
}
template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> choose_multiples(const frozen_problem<Capacity>& p, const frozen_collection<Capacity>& f) {
    list<term> outputs;
    graph_data g;
    shared_products s;
    known_values values;
    thaw(f.products, p, g, outputs);
    thaw(f.products, s);
    f.realized.read(values.realized);
    f.scaled_heads.read(values.scaled_heads);
    f.scaled.read(values.scaled);
    scale_choice(g, s, values, outputs).run();
    frozen_products<Capacity> chosen = freeze<Capacity>(s, g, outputs);
    chosen.pairs_left = true;
    return chosen;
}
template <int Capacity>
[[nodiscard]] constexpr frozen_products<Capacity> share_pairs(frozen_products<Capacity> f, int more_pairs = 1500) {
    shared_products s;
    f.plan_of.read(s.plan_of);
    f.plans.read(s.plans);
    f.literals.read(s.literals);
    f.pairs_left = !pair_extraction(s).run(more_pairs);
    f.plan_of.fill(s.plan_of);
    f.plans.fill(s.plans);
    f.literals.fill(s.literals);
    return f;
}

template <int Capacity>
[[nodiscard]] constexpr code emit(const frozen_problem<Capacity>& p, const frozen_products<Capacity>& products) {
    list<term> outputs;
    graph_data g;
    thaw(products, p, g, outputs);
    shared_products shared;
    thaw(products, shared);
    return scheduler(g, shared).run(outputs);
}
template <int Capacity>
[[nodiscard]] constexpr frozen_code<Capacity> emit_code(const frozen_problem<Capacity>& p, const frozen_products<Capacity>& products) {
    const code c = emit(p, products);
    frozen_code<Capacity> f;
    f.pair_places = c.pair_places;
    f.calls_end = c.calls_end;
    f.conditional = c.conditional;
    f.body.fill(c.body);
    f.constants.fill(c.constants);
    return f;
}
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> order(const frozen_problem<Capacity>& p, const frozen_code<Capacity>& f) {
    code c;
    c.pair_places = f.pair_places;
    c.calls_end = f.calls_end;
    c.conditional = f.conditional;
    f.body.read(c.body);
    f.constants.read(c.constants);
    register_order(c).run();
    return freeze<Capacity>(c, p);
}

template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> schedule(const frozen_problem<Capacity>& p, const frozen_products<Capacity>& products) {
    code c = emit(p, products);
    register_order(c).run();
    return freeze<Capacity>(c, p);
}
/// The sharing of products and scheduling in one evaluation.
template <int Capacity>
[[nodiscard]] constexpr frozen<Capacity> schedule(const frozen_problem<Capacity>& p) {
    list<term> outputs;
    graph_data g;
    thaw(p, g, outputs);
    shared_products shared = product_sharing(g).run(outputs);
    (void)pair_extraction(shared).run();
    code c = scheduler(g, shared).run(outputs);
    register_order(c).run();
    return freeze<Capacity>(c, p);
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

/// The stages of a problem of which nothing is left to be derived.
template <class Stages>
struct next_piece {
    static constexpr auto derived = derive_further(Stages::derived);
    static_assert(derived.complete(), "function: the gradient is too large for the compiler; use tape mode");
};
template <class Stages, bool Paused = (Stages::derived.sweep.next >= 0)>
struct finished : std::type_identity<Stages> {};
template <class Stages>
struct finished<Stages, true> : finished<next_piece<Stages>> {};

/// In how many evaluations derivatives become code. On g++ a graph of more nodes than the first needs two; on clang one of
/// more than the second needs more than two, and on both one of products with so many pairs of factors.
inline constexpr int nodes_in_one_evaluation = 5000, nodes_in_two_evaluations = 2500, pairs_in_two_evaluations = 9000;
enum class division { one, two, many };

// The pairs of products are extracted in pieces, too.
template <class Previous>
struct next_pairs {
    static_assert(Previous::products.complete(), "function: the derivatives have more factors than the compiler provides for; "
                                                 "ask for fewer derivatives at once, or use tape mode");
    static constexpr auto products = share_pairs(Previous::products);
};
template <class Stages, bool Left = Stages::products.pairs_left>
struct paired : std::type_identity<Stages> {
    static_assert(Stages::products.complete(), "function: the derivatives have more factors than the compiler provides for; ask "
                                               "for fewer derivatives at once, or use tape mode");
};
template <class Stages>
struct paired<Stages, true> : paired<next_pairs<Stages>> {};

template <class Stages, division>
struct scheduled {
    static constexpr auto code = schedule(Stages::derived);
};
template <class Stages>
struct scheduled<Stages, division::two> {
    static constexpr auto products = share_products(Stages::derived);
    static_assert(products.complete(), "function: the derivatives have more factors than the compiler provides for; ask "
                                       "for fewer derivatives at once, or use tape mode");
    static constexpr auto code = schedule(Stages::derived, products);
};
template <class Stages>
struct scheduled<Stages, division::many> {
    static constexpr auto collection = collect_products(Stages::derived);
    static_assert(collection.complete(), "function: the derivatives have more factors than the compiler provides for; ask "
                                         "for fewer derivatives at once, or use tape mode");
    static constexpr auto products = choose_multiples(Stages::derived, collection);
    static constexpr auto emitted = emit_code(Stages::derived, paired<scheduled>::type::products);
    static_assert(emitted.complete(), "function: the program needs more than 65000 instructions; ask for fewer derivatives at "
                                      "once, or use tape mode");
    static constexpr auto code = order(Stages::derived, emitted);
};

template <unsigned Request, int Wrt, class Variables, class Expressions>
struct compiled {
private:
    using begun = typename sufficient<Request, Wrt, Variables, Expressions>::type;
    static_assert(begun::derived.complete(), "function: the derivatives need more than 65536 nodes; ask for fewer at once, "
                                             "or use tape mode");
#if defined(__clang__)
    using stages = typename finished<begun>::type;
    static constexpr division divided =
        stages::derived.nodes.size > nodes_in_two_evaluations || stages::derived.factor_pairs > pairs_in_two_evaluations
            ? division::many
            : division::two;
#else
    using stages = begun;
    static constexpr division divided =
        stages::derived.factor_pairs > pairs_in_two_evaluations ? division::many
        : (Request & ~(values | jacobians)) != 0 || stages::derived.nodes.size > nodes_in_one_evaluation
            ? division::two
            : division::one;
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
        -> packed_program<constant_slots<constant_slot<
                              code.constants.words[3 * C], code.constants.words[3 * C + 1], code.constants.words[3 * C + 2]>...>,
                          instructions<code.pair_places, code.conditional, code.body[I]...>, own_functions>;

public:
    using program = decltype(pack(std::make_index_sequence<static_cast<std::size_t>(code.constant_count)>{},
                                 std::make_index_sequence<static_cast<std::size_t>(code.size)>{}));
};

} // namespace chainrule::codegen
