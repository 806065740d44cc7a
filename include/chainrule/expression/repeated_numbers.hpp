// SPDX-License-Identifier: BSL-1.0
//
// Rejects expressions whose stored numbers repeat. Each use of `auto b = 0.5 * x;` copies the number, and nested uses
// multiply the copies: a function of 100 operations became an object of 52,006 numbers, which no compiler can process.
#pragma once

#include <chainrule/core/list.hpp>
#include <chainrule/expression/node.hpp>

#include <bit>

namespace chainrule::expressions {

/// Counts the distinct nodes of an expression, up to a limit. Each node has a function that names its operands.
struct distinct_nodes {
    using visitor = void (*)(distinct_nodes&);
    list<visitor> left;
    list<hash_value> table; // open addressing: hashes, or 0
    int count = 0;

    constexpr bool add(hash_value hash) {
        const unsigned mask = static_cast<unsigned>(table.count) - 1;
        unsigned i = static_cast<unsigned>(hash) & mask;
        for (; table.items[static_cast<int>(i)] != 0; i = (i + 1) & mask)
            if (table.items[static_cast<int>(i)] == hash) return false;
        table.items[static_cast<int>(i)] = hash;
        ++count;
        return true;
    }
};
template <class E>
CHAINRULE_PER_NODE_ADDRESSED void visit_operands(distinct_nodes& nodes) {
    if constexpr (int{E::arity} == 0) {
        (void)nodes.add(E::hash);
    } else {
        CHAINRULE_SHORTCUT(visit_operands<typename E::shortcut>);
        if (!nodes.add(E::hash)) return;
        nodes.left.push_back(visit_operands<typename E::first>);
        if constexpr (int{E::arity} >= 2) nodes.left.push_back(visit_operands<typename E::second>);
        if constexpr (int{E::arity} == 3) nodes.left.push_back(visit_operands<typename E::third>);
    }
}
/// The number of distinct nodes of an expression, at most limit.
template <class E>
[[nodiscard]] consteval int count_distinct_nodes(int limit) {
    distinct_nodes nodes;
    nodes.table = list<hash_value>(static_cast<int>(std::bit_ceil(static_cast<unsigned>(2 * limit + 2))));
    nodes.left.push_back(visit_operands<E>);
    while (nodes.left.count != 0 && nodes.count < limit) nodes.left.pop_back()(nodes);
    return nodes.count;
}

/// Whether an operation has more than 64 stored numbers and more than four per distinct node. Checked only where the
/// count passes a power of two; an expression has more nodes than its depth.
template <class Node>
[[nodiscard]] consteval bool numbers_repeat(int numbers_of_largest_operand) {
    constexpr int numbers = Node::numbers;
    if (std::bit_width(static_cast<unsigned>(numbers)) ==
        std::bit_width(static_cast<unsigned>(numbers_of_largest_operand)))
        return false;
    return 4 * count_distinct_nodes<Node>(numbers / 4 + 1) < numbers;
}
template <class Node, int... NumbersOfOperands>
consteval bool numbers_repeat() {
    if constexpr (int{Node::numbers} <= 64 || int{Node::numbers} <= 4 * int{Node::depth} ||
                  int{Node::name_length} >= never_abbreviated) {
        return false;
    } else {
        int largest = 0;
        for (const int numbers : {NumbersOfOperands...}) largest = numbers > largest ? numbers : largest;
        return numbers_repeat<Node>(largest);
    }
}
// One function for all nodes: only the outermost expression is reported, not its operands.
template <bool Few>
constexpr auto refused_as_repetition() {
    static_assert(Few, "stored numbers: the expression stores more than four numbers per operation, since each use "
                       "of a name copies the numbers in it; trace a function, as in cr::function([](auto x) { auto "
                       "b = 0.5 * x; return b * b; }), or write exact constants, 0.5_c, or a parameter, function(k "
                       "* x, wrt(x), given(k = 0.5))");
    return typename constant<0, 1>::node{}; // so that the uses add no errors
}

} // namespace chainrule::expressions
