// SPDX-License-Identifier: BSL-1.0
//
// The nodes of a graph, each once: a table maps an operation and its operands to the node. Only rewrites that are exact
// in IEEE arithmetic are applied to values.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

constexpr unsigned canonical_graph::custom_function_number(hash_value hash, derivative_formula formula) {
    int i = 0;
    while (i < custom_functions.count &&
           !(custom_functions.items[i].hash == hash && same_function(custom_functions.items[i].formula, formula)))
        ++i;
    if (i == custom_function_limit) a_program_calls_more_than_128_functions_of_the_user();
    if (i == custom_functions.count) custom_functions.push_back({hash, formula});
    return first_custom_function + static_cast<unsigned>(i);
}

constexpr int canonical_graph::exact_power(int a, int b) {
    if (nodes.items[b].what != kind::constant) return -1;
    if (is_zero(b)) return one;
    const coefficient e = value(nodes.items[b].a);
    if (e == coefficient::fraction(1, 2)) return call(functions::sqrt::position, a);
    if (e == coefficient::fraction(-1, 2)) return binary(kind::divide, one, call(functions::sqrt::position, a));
    if (e.denominator != 1 || e.numerator > highest_power_ || e.numerator < -highest_power_) return -1;
    int result = -1;
    int square = a;
    for (integer n = e.negative() ? -e.numerator : e.numerator; n > 0; n /= 2) {
        if (n % 2 != 0) result = result < 0 ? square : binary(kind::multiply, result, square);
        if (n > 1) square = binary(kind::multiply, square, square);
    }
    return e.negative() ? binary(kind::divide, one, result) : result;
}

constexpr int canonical_graph::negate(int a) {
    if (nodes.items[a].what == kind::negate) return nodes.items[a].a;
    if (nodes.items[a].what == kind::constant && !is_zero(a)) return constant(-value(nodes.items[a].a));
    return intern(kind::negate, 0, a, -1);
}

constexpr int canonical_graph::binary(kind what, int a, int b) {
    if (what == kind::multiply && a == one) return b;
    if ((what == kind::multiply || what == kind::divide) && b == one) return a;
    return intern(what, 0, a, b);
}

constexpr int canonical_graph::condition(relation what, int a, int b) {
    conditional_ = true;
    if (what == relation::negation && is_negation(a)) return nodes.items[a].a;
    return intern(kind::condition, static_cast<unsigned>(what), a, b);
}

constexpr int canonical_graph::select(int c, int a, int b) {
    if (a == b) return a;
    if (is_negation(c)) return select(nodes.items[c].a, b, a);
    return intern_three(kind::select, 0, c, a, b);
}

// Compilers keep each integer of a constant evaluation: these sums are cheaper than a 64-bit hash. With small factors
// the pairs of 100 operands would meet in a few thousand places.
constexpr int canonical_graph::place_of(kind what, unsigned function, int a, int b) const {
    const bool swap = b < a && (what == kind::add || what == kind::multiply);
    const unsigned sum = static_cast<unsigned>(swap ? b : a) * 407 + static_cast<unsigned>(swap ? a : b) * 603 +
                         static_cast<unsigned>(what) + function;
    return static_cast<int>(sum & static_cast<unsigned>(mask()));
}

// Squares, since the operands in a loop have equal distances: their sums would collide.
constexpr int canonical_graph::place_of(kind what, const term* terms, int count) const {
    unsigned sum = static_cast<unsigned>(what);
    for (int i = 0; i < count; ++i)
        sum += static_cast<unsigned>(terms[i].c * 37 + terms[i].id * 11) *
               static_cast<unsigned>(terms[i].c * 37 + terms[i].id * 11);
    return static_cast<int>((sum ^ sum >> 15) & static_cast<unsigned>(mask()));
}

constexpr int canonical_graph::intern(kind what, unsigned function, int a, int b) {
    int place = place_of(what, function, a, b);
    for (int id = 0; (id = table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]) != 0;
         place = (place + 1) & mask()) {
        const node& m = nodes.items[id];
        if (m.what != what || m.function != function) continue;
        if (m.a == a ? m.b == b : m.a == b && m.b == a && (what == kind::add || what == kind::multiply)) return id;
    }
    return insert({what, static_cast<unsigned char>(function), a, b}, place);
}

// The node of an operation other than a call, if there is one; else -1.
constexpr int canonical_graph::find(kind what, int a, int b) const {
    int place = place_of(what, 0, a, b);
    for (int id = 0; (id = table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]) != 0;
         place = (place + 1) & mask()) {
        const node& m = nodes.items[id];
        if (m.what == what && m.function == 0 &&
            ((m.a == a && m.b == b) || (what == kind::add && m.a == b && m.b == a)))
            return id;
    }
    return -1;
}

// The value that is the sum of the two terms since bottom, with its sign; zero if none is. Both round alike.
constexpr term canonical_graph::written_sum(int bottom) const {
    const term s = scratch_.items[bottom], t = scratch_.items[bottom + 1];
    if (s.c > 1 || t.c > 1) return zero_term;
    const int id = find(s.c == t.c ? kind::add : kind::subtract, s.id, t.id);
    if (id >= 0 || s.c == t.c) return {s.c, id};
    return {t.c, find(kind::subtract, t.id, s.id)};
}

// A sum or product of the terms on the scratch stack from bottom on; pops them. Nodes that differ only in the order
// of terms are identical; the order of the first is kept.
constexpr int canonical_graph::intern_pooled(kind what, int bottom, unsigned function) {
    const int count = scratch_.count - bottom;
    const term* const terms = scratch_.items + bottom;
    scratch_.truncate(bottom);
    int place = place_of(what, terms, count);
    for (int id = 0; (id = table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]) != 0;
         place = (place + 1) & mask()) {
        const node& m = nodes.items[id];
        if (m.b == count && m.what == what &&
            (what >= kind::select ? m.function == function && same_order(pool.items + m.a, terms, count)
                                  : same_terms(pool.items + m.a, terms, count))) {
            effort_ += effort_of_finding;
            return id;
        }
    }
    if (what == kind::sum && conditional_ && have_guards(terms, count)) function = guards_as_sum;
    const int first = pool.count;
    for (int i = 0; i < count; ++i) pool.push_back(terms[i]);
    return insert({what, static_cast<unsigned char>(function), first, count}, place);
}

constexpr int canonical_graph::intern_three(kind what, unsigned function, int a, int b, int c) {
    const int bottom = mark();
    scratch_.push_back({0, a});
    scratch_.push_back({0, b});
    scratch_.push_back({0, c});
    return intern_pooled(what, bottom, function);
}

constexpr bool canonical_graph::same_terms(const term* s, const term* t, int count) {
    for (int i = 0; i < count; ++i) {
        if (s[i].id == t[i].id && s[i].c == t[i].c) continue;
        int k = 0;
        while (k < count && (s[k].id != t[i].id || s[k].c != t[i].c)) ++k;
        if (k == count) return false;
    }
    return true;
}

constexpr bool canonical_graph::same_order(const term* s, const term* t, int count) {
    for (int i = 0; i < count; ++i)
        if (s[i].id != t[i].id || s[i].c != t[i].c) return false;
    return true;
}

constexpr int canonical_graph::insert(node n, int place) {
    const int id = nodes.count;
    nodes.push_back(n);
    canonical_terms.push_back(zero_term);
    table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] = id;
    if (2 * nodes.count > table_.count) rehash((grows_fast_ && table_.count == 4096 ? 16 : 4) * table_.count);
    return id;
}

constexpr void canonical_graph::rehash(int size) {
    table_ = index_table(size);
    for (int i = 1; i < nodes.count; ++i) {
        const node& m = nodes.items[i];
        int place =
            m.what >= kind::sum ? place_of(m.what, pool.items + m.a, m.b) : place_of(m.what, m.function, m.a, m.b);
        while (table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] != 0)
            place = (place + 1) & mask();
        table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] = i;
    }
}

constexpr int canonical_graph::zero_coefficient() {
    if (zero_number_ < 0) zero_number_ = coefficients.number(coefficient(0));
    return zero_number_;
}

constexpr void canonical_graph::make_unique() {
    int size = 1024;
    while (size < 2 * nodes.count) size *= 2;
    rehash(size);
    for (int i = 0; i < nodes.count; ++i) {
        conditional_ = conditional_ || is_condition(i) || is_share(i) || is_call(i, functions::weighted::position);
        if (nodes.items[i].function == functions::relaxed::position && nodes.items[i].what == kind::call)
            marked_ = true;
        if (nodes.items[i].what == kind::constant && value(nodes.items[i].a).is_zero()) zero_number_ = nodes.items[i].a;
    }
}

} // namespace chainrule::graph
