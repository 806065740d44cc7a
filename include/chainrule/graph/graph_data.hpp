// SPDX-License-Identifier: BSL-1.0
//
// A graph as plain data: nodes, the terms of its sums and products, and its coefficients. The later passes read this;
// graph/canonical_graph/definition.hpp adds nodes.
#pragma once

#include <chainrule/functions/comparisons.hpp>
#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/list.hpp>

namespace chainrule::graph {

/// The kind of a node. The operations `negate` to `condition`, and `select`, are values: computed as written, in that
/// order. `sum` and `product` are derivatives: they may be reassociated. From `sum` on operands are terms in the pool.
enum class kind : unsigned char {
    constant,
    variable,
    stored_number,
    negate,
    add,
    subtract,
    multiply,
    divide,
    call,
    condition, // a relation of two numbers or conditions; as a factor 1 or 0, and 0 times anything is 0
    sum,
    product,
    select,        // a condition and two numbers
    call_of_three, // a function with three arguments
};

/// The relation that a condition tests.
#define CHAINRULE_RELATION(SYMBOL, NAME) NAME,
enum class relation : unsigned char { CHAINRULE_COMPARISONS(CHAINRULE_RELATION) conjunction, disjunction, negation };
#undef CHAINRULE_RELATION

// No element of a saved list has default member initializers: compilers would initialize each element of a page.
struct node {
    kind what;
    unsigned char function; // call: the row of the functions table; condition: the relation; sum, product: a `guarding`
    int a; // operands; constant: coefficient; variable, stored_number: position; from sum on: first in pool
    int b; // second operand, or -1; from sum on: count in pool
};

/// What a sum or product does as a factor of another product, whose other factors may be infinite: guards that are
/// shares alone are 0, 1/2, 1, NaN or a product of these.
enum guarding : unsigned char { guards_nothing, guards_as_share, guards_as_sum };

/// A coefficient times a node. Coefficients are numbered so that c ^ 1 is the negative of c; 0 is one, 1 is minus one.
/// A negative id is the zero term. In the pool of a product, c is the exponent of the node instead.
struct term {
    int c;
    int id;

    [[nodiscard]] constexpr bool is_zero() const { return id < 0; }
    [[nodiscard]] constexpr term operator-() const { return {c ^ 1, id}; }
    friend constexpr bool operator==(const term&, const term&) = default;
};
inline constexpr term zero_term{0, -1};

/// The coefficients of a graph, numbered so that c ^ 1 is the negative of c; 0 is one, 1 is minus one.
class coefficient_table {
public:
    list<coefficient> magnitudes;
    int computed = 0; // products and quotients, which take most of a pass that looks for constant factors

    constexpr coefficient_table() { magnitudes.push_back(coefficient(1)); }

    [[nodiscard]] constexpr coefficient value(int c) const {
        return (c & 1) != 0 ? -magnitudes.items[c >> 1] : magnitudes.items[c >> 1];
    }
    [[nodiscard]] constexpr bool is_zero(int c) const { return magnitudes.items[c >> 1].is_zero(); }
    [[nodiscard]] constexpr bool extreme(int c) const { return magnitudes.items[c >> 1].extreme(); }
    [[nodiscard]] constexpr int number(const coefficient& c) {
        const int sign = c.negative() ? 1 : 0;
        const coefficient m = sign != 0 ? -c : c;
        if (m.numerator == 1 && m.denominator == 1) return sign;
        if (2 * magnitudes.count >= table_.count) rehash();
        int place = find(m);
        if (table_.items[place] == 0) {
            table_.items[place] = magnitudes.count;
            magnitudes.push_back(m);
        }
        return 2 * table_.items[place] + sign;
    }
    [[nodiscard]] constexpr int times(int c, int d) {
        if ((c >> 1) == 0) return d ^ c;
        if ((d >> 1) == 0) return c ^ d;
        ++computed;
        return number(value(c) * value(d));
    }
    [[nodiscard]] constexpr int over(int c, int d) {
        if ((d >> 1) == 0) return c ^ d;
        if ((c >> 1) == (d >> 1) && !magnitudes.items[c >> 1].extreme()) return (c ^ d) & 1;
        ++computed;
        return number(value(c) * value(d).reciprocal());
    }

private:
    list<int> table_; // open addressing; 0, the number of 1, marks a free entry

    [[nodiscard]] constexpr int find(const coefficient& m) const {
        const unsigned mask = static_cast<unsigned>(table_.count) - 1;
        unsigned place = static_cast<unsigned>(m.hash()) & mask;
        while (table_.items[static_cast<int>(place)] != 0 &&
               !magnitudes.items[table_.items[static_cast<int>(place)]].matches(m))
            place = (place + 1) & mask;
        return static_cast<int>(place);
    }
    constexpr void rehash() {
        int size = table_.count == 0 ? 64 : 4 * table_.count;
        // With room for a quarter more, so that a table that was carried over is not built twice in one evaluation.
        while (size <= 2 * magnitudes.count + magnitudes.count / 2) size *= 4;
        table_ = list<int>(size);
        for (int i = 1; i < magnitudes.count; ++i) table_.items[find(magnitudes.items[i])] = i;
    }
};

/// A graph as plain data, for the scheduler and for transfer between constant evaluations.
struct graph_data {
    /// The node of the constant 1.
    static constexpr int one = 0;

    list<node> nodes;
    list<term> pool;            // terms of sums, factors of products
    list<term> canonical_terms; // by node: the node as a coefficient times a product, if that was computed
    list<int> cancelling;       // ascending: values that, as such products, lost factors that cancel
    bool several_outputs = false;
    coefficient_table coefficients;
    /// Intermediate values and first derivatives that are not requested themselves. Products share their parts as if
    /// they were: so a smaller request never gives a longer program.
    list<term> intermediate;

    [[nodiscard]] constexpr int size() const { return nodes.count; }
    [[nodiscard]] constexpr const node& operator[](int id) const { return nodes.items[id]; }
    /// Whether there is any sum or product of derivatives.
    [[nodiscard]] constexpr bool has_derivatives() const {
        int id = nodes.count - 1; // backwards: derivatives follow the values
        while (id > 0 && nodes.items[id].what != kind::sum && nodes.items[id].what != kind::product) --id;
        return id > 0;
    }
    /// The number of factors of a canonical node, counted with their powers.
    [[nodiscard]] constexpr int literals(int id) const {
        if (id == one) return 0;
        const node& n = nodes.items[id];
        if (n.what != kind::product) return 1;
        int count = 0;
        for (int i = n.a; i < n.a + n.b; ++i) count += pool.items[i].c < 0 ? -pool.items[i].c : pool.items[i].c;
        return count;
    }
    /// Whether factors of a value cancel, as in (x / y) * y. It may be NaN, infinite or without a correct digit where
    /// its product is not: then nothing else may be computed from it.
    [[nodiscard]] constexpr bool cancels(int id) const {
        int begin = 0, end = cancelling.count;
        while (begin < end) {
            const int middle = begin + (end - begin) / 2;
            if (cancelling.items[middle] == id) return true;
            (cancelling.items[middle] < id ? begin : end) = cancelling.items[middle] < id ? middle + 1 : middle;
        }
        return false;
    }
    [[nodiscard]] constexpr bool is_condition(int id) const { return nodes.items[id].what == kind::condition; }
    [[nodiscard]] constexpr bool is_negation(int id) const {
        return is_condition(id) && nodes.items[id].function == static_cast<unsigned char>(relation::negation);
    }
    /// The number of operands of a node.
    [[nodiscard]] constexpr int operand_count(int id) const {
        const node& n = nodes.items[id];
        if (n.what < kind::negate) return 0;
        if (n.what >= kind::select) return 3;
        if (n.what >= kind::sum) return n.b;
        return n.b < 0 ? 1 : 2;
    }
    /// The operand number k of a node.
    [[nodiscard]] constexpr int operand_of(int id, int k) const {
        const node& n = nodes.items[id];
        if (n.what >= kind::sum) return pool.items[n.a + k].id;
        return k == 0 ? n.a : n.b;
    }
    /// x where a node tests whether x is finite, as x - x == x - x; -1 for other nodes.
    [[nodiscard]] constexpr int tested_for_finiteness(const node& n) const {
        if (n.what != kind::condition || n.a != n.b) return -1;
        const node& difference = nodes.items[n.a];
        return difference.what == kind::subtract && difference.a == difference.b ? difference.a : -1;
    }
    /// Whether a node is 0 where an operand does not move a function with kinks, or a product of such: as a factor, its
    /// 0 prevails over infinities and NaNs, as that of a condition does.
    [[nodiscard]] constexpr bool is_share(int id) const {
        const node& n = nodes.items[id];
        if (n.what == kind::product) return n.function == guards_as_share;
        return (n.what == kind::call || n.what == kind::call_of_three) && is_share_function(n.function);
    }
    static_assert(functions::share::position + 2 == functions::exceeds::position);
    [[nodiscard]] static constexpr bool is_share_function(unsigned function) {
        return functions::share::position <= function && function <= functions::exceeds::position;
    }
    /// Whether a factor makes the whole product zero if it is zero, even if another factor is infinite or NaN.
    [[nodiscard]] constexpr bool guards(term factor) const {
        // (One statement, without calls that each factor would take: clang counts them.)
        const node& n = nodes.items[factor.id];
        return n.what == kind::condition ||
               (factor.c > 0 &&
                (n.what == kind::product || n.what == kind::sum
                     ? n.function != guards_nothing
                     : (n.what == kind::call || n.what == kind::call_of_three) && is_share_function(n.function)));
    }
    /// Whether a factor that guards is a number of any size, and not a share: a sum of guarded terms, or a product.
    [[nodiscard]] constexpr bool guards_as_number(int id) const {
        const node& n = nodes.items[id];
        return (n.what == kind::sum || n.what == kind::product) && n.function == guards_as_sum;
    }
    [[nodiscard]] constexpr bool is_call(int id, unsigned function) const {
        return nodes.items[id].what == kind::call && nodes.items[id].function == function;
    }
    [[nodiscard]] constexpr bool is_square_root(int id) const { return is_call(id, functions::sqrt::position); }
    /// 2 for a square root, 3 for a cube root, and 0 for others.
    [[nodiscard]] constexpr int root_degree(int id) const {
        return is_square_root(id) ? 2 : is_call(id, functions::cbrt::position) ? 3 : 0;
    }
    /// Whether a node is a sum of squares, of exponentials and of 1, or a product of such: then it is not negative, nor
    /// -0. False if that is unknown.
    [[nodiscard]] constexpr bool is_never_negative(int id) const {
        list<int> open;
        open.push_back(id);
        for (int steps = 0; open.count > 0; ++steps) {
            const int top = open.pop_back();
            const node& n = nodes.items[top];
            if (steps == 100) return false;
            if (top == one || is_call(top, functions::exp::position)) continue;
            if (n.what == kind::multiply && n.a == n.b) continue;
            if (n.what == kind::add || n.what == kind::multiply) {
                open.push_back(n.a);
                open.push_back(n.b);
                continue;
            }
            if (n.what != kind::sum && n.what != kind::product) return false;
            for (int i = n.a; i < n.a + n.b; ++i) {
                const term t = pool.items[i];
                if (n.what == kind::sum && coefficients.value(t.c).negative()) return false;
                if (n.what == kind::sum || t.c % 2 != 0) open.push_back(t.id);
            }
        }
        return true;
    }
};

} // namespace chainrule::graph
