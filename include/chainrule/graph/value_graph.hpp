// SPDX-License-Identifier: BSL-1.0
//
// The values of a graph: hash-consed nodes in plain arrays, so that the same operation on the same operands is one
// node. Values are kept exactly as written. graph/canonical_graph/definition.hpp adds the derivatives.
#pragma once

#include <chainrule/graph/custom_functions.hpp>
#include <chainrule/graph/graph_data.hpp>

namespace chainrule::graph {

/// Constructs an empty graph, for data that will be read into it.
struct empty_graph_tag {};

class value_graph : public graph_data {
public:
    constexpr explicit value_graph(empty_graph_tag) {}
    constexpr value_graph() : table_(1024) {
        // Little: clang makes an expression of each element that it initialises, and many graphs are small.
        nodes.reserve(64);
        canonical_terms.reserve(64);
        pool.reserve(64);
        nodes.push_back({kind::constant, 0, 0, -1});
        canonical_terms.push_back({0, one});
    }

    [[nodiscard]] constexpr coefficient value(int c) const { return coefficients.value(c); }
    [[nodiscard]] constexpr int coefficient_number(const coefficient& c) { return coefficients.number(c); }
    [[nodiscard]] constexpr int times(int c, int d) { return (c | d) < 2 ? c ^ d : coefficients.times(c, d); }
    [[nodiscard]] constexpr int over(int c, int d) { return coefficients.over(c, d); }

    [[nodiscard]] constexpr int constant(const coefficient& c) {
        const int number = c.is_zero() ? zero_coefficient() : coefficient_number(c);
        return number == 0 ? one : intern(kind::constant, 0, number, -1);
    }
    [[nodiscard]] constexpr int variable(int number) { return intern(kind::variable, 0, number, -1); }
    [[nodiscard]] constexpr int slot(int number) { return intern(kind::slot, 0, number, -1); }
    [[nodiscard]] constexpr int call(unsigned function, int a, int b = -1, int c = -1) {
        conditional_ = conditional_ || is_share_function(function);
        return c < 0 ? intern(kind::call, function, a, b) : intern_three(kind::call_of_three, function, a, b, c);
    }
    /// The custom functions of this graph: entry i has the number first_custom_function + i.
    list<custom_function_entry> custom_functions;
    [[nodiscard]] constexpr unsigned custom_function_number(hash_value hash, derivative_formula formula) {
        int i = 0;
        while (i < custom_functions.count &&
               !(custom_functions.items[i].hash == hash && same_function(custom_functions.items[i].formula, formula)))
            ++i;
        if (i == custom_function_limit) a_program_calls_more_than_128_functions_of_the_user();
        if (i == custom_functions.count) custom_functions.push_back({hash, formula});
        return first_custom_function + static_cast<unsigned>(i);
    }
    /// Applies only rewrites that are exact in IEEE arithmetic.
    [[nodiscard]] constexpr int negate(int a) {
        if (nodes.items[a].what == kind::negate) return nodes.items[a].a;
        if (nodes.items[a].what == kind::constant && !is_zero(a)) return constant(-value(nodes.items[a].a));
        return intern(kind::negate, 0, a, -1);
    }
    [[nodiscard]] constexpr int binary(kind what, int a, int b) {
        if (what == kind::multiply && a == one) return b;
        if ((what == kind::multiply || what == kind::divide) && b == one) return a;
        return intern(what, 0, a, b);
    }
    [[nodiscard]] constexpr int condition(relation what, int a, int b = -1) {
        conditional_ = true;
        if (what == relation::negation && is_negation(a)) return nodes.items[a].a;
        return intern(kind::condition, static_cast<unsigned>(what), a, b);
    }
    /// a if the condition holds, else b.
    [[nodiscard]] constexpr int select(int c, int a, int b) {
        if (a == b) return a;
        if (is_negation(c)) return select(nodes.items[c].a, b, a);
        return intern_three(kind::select, 0, c, a, b);
    }
    /// pow(a, b) for a constant b with a cheap form: by definition, an integer power is the product x * x * ... and the
    /// power 1/2 is the square root. -1 for any other b.
    [[nodiscard]] constexpr int exact_power(int a, int b) {
        if (nodes.items[b].what != kind::constant) return -1;
        if (is_zero(b)) return one;
        const coefficient e = value(nodes.items[b].a);
        if (e == coefficient::fraction(1, 2)) return call(functions::sqrt::position, a);
        if (e == coefficient::fraction(-1, 2)) return binary(kind::divide, one, call(functions::sqrt::position, a));
        if (e.denominator != 1 || e.numerator > 64 || e.numerator < -64) return -1;
        int result = -1;
        int square = a;
        for (integer n = e.negative() ? -e.numerator : e.numerator; n > 0; n /= 2) {
            if (n % 2 != 0) result = result < 0 ? square : binary(kind::multiply, result, square);
            if (n > 1) square = binary(kind::multiply, square, square);
        }
        return e.negative() ? binary(kind::divide, one, result) : result;
    }
    [[nodiscard]] constexpr bool is_integer(int id) const {
        return nodes.items[id].what == kind::constant && value(nodes.items[id].a).denominator == 1;
    }
    [[nodiscard]] constexpr bool is_zero(int id) const {
        return nodes.items[id].what == kind::constant && nodes.items[id].a == zero_number_;
    }

    /// Puts a term on the stack from which sums and products are built.
    constexpr void push_term(term t) {
        if (!t.is_zero()) scratch_.push_back(t);
    }
    /// The place on that stack from which the next terms come.
    [[nodiscard]] constexpr int mark() const { return scratch_.count; }

    /// Prepares a graph whose data were read from elsewhere for new nodes.
    constexpr void make_unique() {
        int size = 1024;
        while (size < 2 * nodes.count) size *= 2;
        rehash(size);
        for (int i = 0; i < nodes.count; ++i) {
            conditional_ = conditional_ || is_condition(i) || is_share(i);
            if (nodes.items[i].what == kind::constant && value(nodes.items[i].a).is_zero())
                zero_number_ = nodes.items[i].a;
        }
    }
    /// Makes room for so many further nodes; returns whether that took time.
    constexpr bool expect(int further) {
        if (2 * (nodes.count + further) <= table_.count) return false;
        rehash(4 * table_.count);
        return true;
    }
    /// Calls visit(member) for each member that the addition of nodes needs besides the data.
    template <class Graph, class Visitor>
    static constexpr void each_index(Graph& g, Visitor& visit) {
        visit(g.table_);
        visit(g.zero_number_);
        visit(g.conditional_);
    }

protected:
    list<term> scratch_;       // a stack of terms, from which sums and products are built
    bool conditional_ = false; // whether there is a condition or a share anywhere

    // A sum or product of the terms on the stack from bottom on; pops them. Nodes that differ only in the order
    // of terms are identical; the order of the first is kept.
    constexpr int intern_pooled(kind what, int bottom, unsigned function = 0) {
        const int count = scratch_.count - bottom;
        const term* const terms = scratch_.items + bottom;
        scratch_.truncate(bottom);
        int place = place_of(what, terms, count);
        for (int id; (id = table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]) != 0;
             place = (place + 1) & mask()) {
            const node& m = nodes.items[id];
            if (m.b == count && m.what == what &&
                (what >= kind::select ? m.function == function && same_order(pool.items + m.a, terms, count)
                                      : same_terms(pool.items + m.a, terms, count)))
                return id;
        }
        const int first = pool.count;
        for (int i = 0; i < count; ++i) pool.push_back(terms[i]);
        return insert({what, static_cast<unsigned char>(function), first, count}, place);
    }

private:
    index_table table_; // open addressing; 0, the id of the constant 1, marks a free entry
    int zero_number_ = -2;

    constexpr int zero_coefficient() {
        if (zero_number_ < 0) zero_number_ = coefficients.number(coefficient(0));
        return zero_number_;
    }
    // Compilers keep each integer of a constant evaluation: these sums are cheaper than a 64-bit hash.
    [[nodiscard]] constexpr int place_of(kind what, unsigned function, int a, int b) const {
        const bool swap = b < a && (what == kind::add || what == kind::multiply);
        return ((swap ? b : a) * 37 + (swap ? a : b) * 5 + static_cast<int>(what) + static_cast<int>(function)) &
               mask();
    }
    // Squares, since the operands in a loop have equal distances: their sums would collide.
    [[nodiscard]] constexpr int place_of(kind what, const term* terms, int count) const {
        unsigned sum = static_cast<unsigned>(what);
        for (int i = 0; i < count; ++i)
            sum += static_cast<unsigned>(terms[i].c * 37 + terms[i].id * 11) *
                   static_cast<unsigned>(terms[i].c * 37 + terms[i].id * 11);
        return static_cast<int>((sum ^ sum >> 15) & static_cast<unsigned>(mask()));
    }
    [[nodiscard]] constexpr int mask() const { return table_.count - 1; }

    constexpr int intern(kind what, unsigned function, int a, int b) {
        int place = place_of(what, function, a, b);
        for (int id; (id = table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]) != 0;
             place = (place + 1) & mask()) {
            const node& m = nodes.items[id];
            if (m.what != what || m.function != function) continue;
            if (m.a == a ? m.b == b : m.a == b && m.b == a && (what == kind::add || what == kind::multiply)) return id;
        }
        return insert({what, static_cast<unsigned char>(function), a, b}, place);
    }
    constexpr int intern_three(kind what, unsigned function, int a, int b, int c) {
        const int bottom = mark();
        scratch_.push_back({0, a});
        scratch_.push_back({0, b});
        scratch_.push_back({0, c});
        return intern_pooled(what, bottom, function);
    }
    [[nodiscard]] static constexpr bool same_terms(const term* s, const term* t, int count) {
        for (int i = 0; i < count; ++i) {
            if (s[i].id == t[i].id && s[i].c == t[i].c) continue;
            int k = 0;
            while (k < count && (s[k].id != t[i].id || s[k].c != t[i].c)) ++k;
            if (k == count) return false;
        }
        return true;
    }

    [[nodiscard]] static constexpr bool same_order(const term* s, const term* t, int count) {
        for (int i = 0; i < count; ++i)
            if (s[i].id != t[i].id || s[i].c != t[i].c) return false;
        return true;
    }

    constexpr int insert(node n, int place) {
        const int id = nodes.count;
        nodes.push_back(n);
        canonical_terms.push_back(zero_term);
        table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] = id;
        if (2 * nodes.count > table_.count) rehash(4 * table_.count);
        return id;
    }
    constexpr void rehash(int size) {
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
};

} // namespace chainrule::graph
