// SPDX-License-Identifier: BSL-1.0
//
// What does the compiler compute with? A graph of hash-consed nodes in plain arrays: the same operation on the same
// operands is one node. Values are kept exactly as written; derivatives are n-ary sums and products with exact
// coefficients, so that like terms and common factors are found where they arise.
// program/lower.hpp fills a graph from an expression's type; program/adjoint.hpp differentiates it.
#pragma once

#include <chainrule/program/coefficient.hpp>
#include <chainrule/program/list.hpp>

namespace chainrule::program {

/// What a node is. The operations `negate` to `call` are values: computed as written, in that order. `sum` and
/// `product` are derivatives: they may be reassociated.
enum class kind : unsigned char {
    constant,
    variable,
    slot,
    negate,
    add,
    subtract,
    multiply,
    divide,
    call,
    sum,
    product,
};

struct node {
    kind what{};
    unsigned char function = 0; // call: the row of the functions table
    int a = -1;                 // operands; constant: coefficient; variable, slot: number; sum, product: first in pool
    int b = -1;                 // second operand; sum, product: count in pool
};

/// A coefficient times a node. Coefficients are numbered so that c ^ 1 is the negative of c; 0 is one, 1 is minus one.
/// A negative id is the zero term. In the pool of a product, c is the exponent of the node instead.
struct term {
    int c = 0;
    int id = -1;

    [[nodiscard]] constexpr bool is_zero() const { return id < 0; }
    [[nodiscard]] constexpr term operator-() const { return {c ^ 1, id}; }
    friend constexpr bool operator==(const term&, const term&) = default;
};

/// The coefficients that occur, numbered so that c ^ 1 is the negative of c; 0 is one, 1 is minus one.
class coefficient_table {
public:
    list<coefficient> magnitudes;

    constexpr coefficient_table() { magnitudes.push_back(coefficient(1)); }

    [[nodiscard]] constexpr coefficient value(int c) const {
        return (c & 1) != 0 ? -magnitudes.items[c >> 1] : magnitudes.items[c >> 1];
    }
    [[nodiscard]] constexpr int number(const coefficient& c) {
        const coefficient m = c.magnitude();
        const int sign = c.negative() ? 1 : 0;
        if (2 * magnitudes.count >= table_.count) rehash();
        int place = find(m);
        if (table_.items[place] < 0) {
            table_.items[place] = magnitudes.count;
            magnitudes.push_back(m);
        }
        return 2 * table_.items[place] + sign;
    }
    [[nodiscard]] constexpr int times(int c, int d) {
        if ((c >> 1) == 0) return d ^ c;
        if ((d >> 1) == 0) return c ^ d;
        return number(value(c) * value(d));
    }
    [[nodiscard]] constexpr int over(int c, int d) {
        if ((d >> 1) == 0) return c ^ d;
        if ((c >> 1) == (d >> 1)) return (c ^ d) & 1;
        return number(value(c) * value(d).reciprocal());
    }

private:
    list<int> table_; // open addressing

    [[nodiscard]] constexpr int find(const coefficient& m) const {
        const unsigned mask = static_cast<unsigned>(table_.count) - 1;
        unsigned place = static_cast<unsigned>(m.hash()) & mask;
        while (table_.items[static_cast<int>(place)] >= 0 &&
               !magnitudes.items[table_.items[static_cast<int>(place)]].matches(m))
            place = (place + 1) & mask;
        return static_cast<int>(place);
    }
    constexpr void rehash() {
        table_ = list<int>(table_.count == 0 ? 64 : 4 * table_.count, -1);
        while (table_.count <= 2 * magnitudes.count) table_ = list<int>(4 * table_.count, -1);
        for (int i = 0; i < magnitudes.count; ++i) table_.items[find(magnitudes.items[i])] = i;
    }
};

/// A graph as plain data: what the scheduler needs of it, and what passes from one constant evaluation to the next.
struct graph_data {
    /// The node of the constant 1.
    static constexpr int one = 0;

    list<node> nodes;
    list<term> pool;      // terms of sums, factors of products
    list<term> canonical; // by node: the node as a coefficient times a product, where that was asked for
    coefficient_table coefficients;

    [[nodiscard]] constexpr int size() const { return nodes.count; }
    [[nodiscard]] constexpr const node& operator[](int id) const { return nodes.items[id]; }
};

class graph : public graph_data {
public:
    constexpr graph() : table_(256, -1) { intern({kind::constant, 0, 0, -1}); }

    // Coefficients ---------------------------------------------------------------------------------------------------

    [[nodiscard]] constexpr coefficient value(int c) const { return coefficients.value(c); }
    [[nodiscard]] constexpr int coefficient_number(const coefficient& c) { return coefficients.number(c); }
    [[nodiscard]] constexpr int times(int c, int d) { return coefficients.times(c, d); }
    [[nodiscard]] constexpr int over(int c, int d) { return coefficients.over(c, d); }

    // Values, as written ---------------------------------------------------------------------------------------------

    [[nodiscard]] constexpr int constant(const coefficient& c) {
        if (c.is_zero()) return intern({kind::constant, 0, zero_coefficient(), -1});
        return intern({kind::constant, 0, coefficient_number(c), -1});
    }
    [[nodiscard]] constexpr int variable(int number) { return intern({kind::variable, 0, number, -1}); }
    [[nodiscard]] constexpr int slot(int number) { return intern({kind::slot, 0, number, -1}); }
    [[nodiscard]] constexpr int call(unsigned function, int a, int b = -1) {
        return intern({kind::call, static_cast<unsigned char>(function), a, b});
    }
    /// Only rewrites that are exact in IEEE arithmetic.
    [[nodiscard]] constexpr int negate(int a) {
        if (nodes.items[a].what == kind::negate) return nodes.items[a].a;
        if (nodes.items[a].what == kind::constant && !is_zero(a)) return constant(-value(nodes.items[a].a));
        return intern({kind::negate, 0, a, -1});
    }
    [[nodiscard]] constexpr int binary(kind what, int a, int b) {
        if (what == kind::multiply && a == one) return b;
        if ((what == kind::multiply || what == kind::divide) && b == one) return a;
        return intern({what, 0, a, b});
    }
    /// pow(a, b) where b is a constant for which there is a cheap way: by definition, an integer power is the product
    /// x * x * ... and the power 1/2 is the square root. -1 where there is none.
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
    [[nodiscard]] constexpr bool is_zero(int id) const {
        return nodes.items[id].what == kind::constant && nodes.items[id].a == zero_number_;
    }

    // Derivatives ----------------------------------------------------------------------------------------------------

    /// The node seen as coefficient times product of powers, with products, quotients, signs and constants dissolved.
    [[nodiscard]] constexpr term canonical(int id) {
        if (graph_data::canonical.items[id].id >= 0 || is_zero(id)) return graph_data::canonical.items[id];
        const node n = nodes.items[id];
        term t{0, id};
        switch (n.what) {
        case kind::constant: t = {n.a, one}; break;
        case kind::negate: t = -canonical(n.a); break;
        case kind::multiply: t = multiply(canonical(n.a), canonical(n.b)); break;
        case kind::divide: t = multiply(canonical(n.a), power(canonical(n.b), -1)); break;
        case kind::sum:
            if (n.b == 1) t = pool.items[n.a];
            break;
        case kind::call:
            if (is_square_root(id) && nodes.items[n.a].what == kind::constant && !is_zero(n.a) && !value(nodes.items[n.a].a).negative())
                t = {coefficient_number(value(nodes.items[n.a].a).square_root()), one};
            break;
        default: break;
        }
        if (!t.is_zero()) graph_data::canonical.items[id] = t;
        return t;
    }
    [[nodiscard]] constexpr term canonical(term t) {
        if (t.is_zero()) return t;
        const term u = canonical(t.id);
        return u.is_zero() ? u : term{times(t.c, u.c), u.id};
    }
    [[nodiscard]] constexpr term number(const coefficient& c) {
        return c.is_zero() ? term{} : term{coefficient_number(c), one};
    }

    /// The product of two canonical terms.
    [[nodiscard]] constexpr term multiply(term s, term t) {
        if (s.is_zero() || t.is_zero()) return {};
        const int c = times(s.c, t.c);
        if (s.id == one) return {c, t.id};
        if (t.id == one) return {c, s.id};
        const int bottom = scratch_.count;
        push_factors(s.id);
        const int middle = scratch_.count;
        push_factors(t.id);
        return with_coefficient(c, merged_product(bottom, middle));
    }

    /// A canonical term to an integer power.
    [[nodiscard]] constexpr term power(term t, int exponent) {
        if (exponent == 0) return {0, one};
        int c = 0;
        const int base = exponent < 0 ? over(0, t.c) : t.c;
        for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) c = times(c, base);
        if (t.id == one) return {c, one};
        const int bottom = scratch_.count;
        push_factors(t.id);
        for (int i = bottom; i < scratch_.count; ++i) scratch_.items[i].c *= exponent;
        return with_coefficient(c, merged_product(bottom, scratch_.count));
    }

    /// A product node without one power of its factor number i. Dividing would not do: a product as a factor stays whole.
    [[nodiscard]] constexpr term without_factor(int id, int i) {
        const node n = nodes.items[id];
        const int bottom = scratch_.count;
        for (int k = 0; k < n.b; ++k) {
            term f = pool.items[n.a + k];
            if (k == i) --f.c;
            if (f.c != 0) scratch_.push_back(f);
        }
        return pooled_product(bottom);
    }

    constexpr void push_term(term t) {
        if (!t.is_zero()) scratch_.push_back(t);
    }
    [[nodiscard]] constexpr int mark() const { return scratch_.count; }
    /// The sum of the canonical terms that were pushed since `bottom`, which are taken away.
    [[nodiscard]] constexpr term sum_since(int bottom) {
        collect_like_terms(bottom);
        const int count = scratch_.count - bottom;
        if (count == 0) return {};
        if (count == 1) return scratch_.pop_back();
        const int top = scratch_.count;
        if (push_common_factors(bottom)) {
            divide_terms(bottom, top);
            const term common = pooled_product(top);
            return multiply(common, sum_since(bottom));
        }
        if (forms_.count != 0 && count >= shortest_form)
            if (replace_linear_form(bottom) || replace_factored_form(bottom)) return sum_since(bottom);
        const int scale = common_scale(bottom);
        if (scale != 0)
            for (int i = bottom; i < scratch_.count; ++i) scratch_.items[i].c = over(scratch_.items[i].c, scale);
        return {scale, intern_pooled(kind::sum, bottom)};
    }
    [[nodiscard]] constexpr term add(term s, term t) {
        const int bottom = mark();
        push_term(s);
        push_term(t);
        return sum_since(bottom);
    }
    /// A node with the value of the term, to be the argument of a function.
    [[nodiscard]] constexpr int node_of(term t) {
        if (t.is_zero()) return constant(coefficient(0));
        if (t.c == 0) return t.id;
        if (t.id == one) return constant(value(t.c));
        const int bottom = mark();
        scratch_.push_back(t);
        return intern_pooled(kind::sum, bottom);
    }

    static constexpr int shortest_form = 5, longest_form = 64;

    /// Makes derivatives use the long sums among the values, wherever they occur in a sum.
    constexpr void note_linear_forms() {
        const int n = size();
        form_heads_ = list<int>(n, -1);
        // A sum that has one use, in a sum, is part of that one.
        list<int> uses(n), sum_uses(n);
        for (int id = 0; id < n; ++id) {
            const node& m = nodes.items[id];
            if (m.what < kind::negate || m.what >= kind::sum) continue;
            const int in_sum = is_sum(id) ? 1 : 0;
            ++uses.items[m.a];
            sum_uses.items[m.a] += in_sum;
            if (m.b < 0) continue;
            ++uses.items[m.b];
            sum_uses.items[m.b] += in_sum;
        }
        list<term> leaves;
        for (int id = 0; id < n; ++id) {
            const node& root = nodes.items[id];
            if ((root.what != kind::add && root.what != kind::subtract) ||
                (uses.items[id] == 1 && sum_uses.items[id] == 1))
                continue;
            // The leaves first, with their signs: most sums are too short to be worth more.
            leaves.truncate(0);
            leaves.push_back({0, id});
            for (int i = 0; i < leaves.count && leaves.count <= longest_form; ++i) {
                while (leaves.count <= longest_form) {
                    const term u = leaves.items[i];
                    if (!is_sum(u.id) || (u.id != id && uses.items[u.id] > 1)) break;
                    const node& sum = nodes.items[u.id];
                    leaves.push_back({sum.what == kind::subtract ? u.c ^ 1 : u.c, sum.b});
                    leaves.items[i] = {u.c, sum.a};
                }
            }
            if (leaves.count < shortest_form || leaves.count > longest_form) continue;
            const int bottom = scratch_.count;
            for (int i = 0; i < leaves.count; ++i) push_term(canonical(leaves.items[i]));
            collect_like_terms(bottom);
            const int count = scratch_.count - bottom;
            if (count >= shortest_form) {
                const int head = scratch_.items[bottom].id;
                if (head < n) {
                    forms_.push_back({id, form_terms_.count, count, form_heads_.items[head]});
                    form_heads_.items[head] = forms_.count - 1;
                    for (int i = bottom; i < scratch_.count; ++i) form_terms_.push_back(scratch_.items[i]);
                }
            }
            scratch_.truncate(bottom);
        }
    }

    /// The number of literals (factors, counted with their powers) of a canonical node.
    [[nodiscard]] constexpr int literals(int id) const {
        if (id == one) return 0;
        if (nodes.items[id].what != kind::product) return 1;
        int count = 0;
        for (int i = 0; i < nodes.items[id].b; ++i) {
            const int e = pool.items[nodes.items[id].a + i].c;
            count += e < 0 ? -e : e;
        }
        return count;
    }

private:
    // Longer products stay nested: the optimiser's work per product is then bounded.
    static constexpr int longest_product = 12;

    list<hash_value> hashes_;
    list<int> table_;
    list<int> position_; // collect_like_terms: where a node stands among the terms, plus one
    list<term> scratch_;
    int zero_number_ = -2;

    constexpr int zero_coefficient() {
        if (zero_number_ < 0) {
            zero_number_ = coefficients.number(coefficient(0));
        }
        return zero_number_;
    }

    [[nodiscard]] constexpr term with_coefficient(int c, term t) { return {times(c, t.c), t.id}; }

    constexpr void push_factors(int id) {
        const node& n = nodes.items[id];
        if (n.what == kind::product)
            for (int i = 0; i < n.b; ++i) scratch_.push_back(pool.items[n.a + i]);
        else
            scratch_.push_back({1, id});
    }

    // The product of two runs of factors, each sorted by node, on the scratch stack from bottom; takes them away.
    constexpr term merged_product(int bottom, int middle) {
        const int top = scratch_.count;
        int weight = 0, roots = 0;
        int i = bottom, j = middle;
        while (i < middle || j < top) {
            term f;
            if (j == top || (i < middle && scratch_.items[i].id < scratch_.items[j].id))
                f = scratch_.items[i++];
            else if (i == middle || scratch_.items[j].id < scratch_.items[i].id)
                f = scratch_.items[j++];
            else {
                f = {scratch_.items[i].c + scratch_.items[j].c, scratch_.items[i].id};
                ++i;
                ++j;
            }
            if (f.c == 0) continue;
            if (is_square_root(f.id) && (f.c < -2 || f.c > 2)) ++roots;
            weight += f.c < 0 ? -f.c : f.c;
            scratch_.push_back(f);
        }
        // Move the merged factors down over the runs.
        const int count = scratch_.count - top;
        if (weight > longest_product && middle < top) {
            // Keep the two runs as nested factors.
            scratch_.truncate(top);
            const term right = pooled_product(middle);
            const term left = pooled_product(bottom);
            const int first = scratch_.count;
            if (left.id == right.id) {
                scratch_.push_back({2, left.id});
            } else {
                scratch_.push_back({1, left.id < right.id ? left.id : right.id});
                scratch_.push_back({1, left.id < right.id ? right.id : left.id});
            }
            return {0, intern_pooled(kind::product, first)};
        }
        for (int k = 0; k < count; ++k) scratch_.items[bottom + k] = scratch_.items[top + k];
        scratch_.truncate(bottom + count);
        if (roots > 0) return reduced_roots(bottom);
        return pooled_product(bottom);
    }

    constexpr term pooled_product(int bottom) {
        const int count = scratch_.count - bottom;
        if (count == 0) return {0, one};
        if (count == 1 && scratch_.items[bottom].c == 1) return {0, scratch_.pop_back().id};
        return {0, intern_pooled(kind::product, bottom)};
    }

    [[nodiscard]] constexpr bool is_sum(int id) const {
        return nodes.items[id].what == kind::add || nodes.items[id].what == kind::subtract;
    }
    [[nodiscard]] constexpr bool is_square_root(int id) const {
        return nodes.items[id].what == kind::call && nodes.items[id].function == functions::sqrt::position;
    }
    // sqrt(u)^2 = u wherever sqrt(u) has a derivative.
    constexpr term reduced_roots(int bottom) {
        term rest{0, one};
        for (int i = bottom; i < scratch_.count; ++i) {
            const term f = scratch_.items[i];
            if (!is_square_root(f.id) || (f.c >= -2 && f.c <= 2)) continue;
            const int half = f.c / 2;
            scratch_.items[i].c = f.c - 2 * half;
            rest = multiply(rest, power(canonical(nodes.items[f.id].a), half));
        }
        int kept = bottom;
        for (int i = bottom; i < scratch_.count; ++i)
            if (scratch_.items[i].c != 0) scratch_.items[kept++] = scratch_.items[i];
        scratch_.truncate(kept);
        return multiply(pooled_product(bottom), rest);
    }

    // Linear forms -------------------------------------------------------------------------------------------------

    struct linear_form {
        int value = 0; // the node
        int first = 0; // its terms
        int count = 0;
        int next = -1;
    };
    list<linear_form> forms_;
    list<term> form_terms_;
    list<int> form_heads_; // by node: forms with that first term

    // Whether a linear form of the values stood among the terms since bottom, multiplied by one coefficient; it is then
    // one term.
    constexpr bool replace_linear_form(int bottom) {
        if (position_.count < size()) position_.resize(size() + size() / 2, 0);
        const int top = scratch_.count;
        for (int i = bottom; i < top; ++i) position_.items[scratch_.items[i].id] = i + 1;
        const linear_form* found = nullptr;
        int ratio = 0;
        for (int i = bottom; i < top && found == nullptr; ++i) {
            const term t = scratch_.items[i];
            if (t.id >= form_heads_.count) continue;
            for (int f = form_heads_.items[t.id]; f >= 0 && found == nullptr; f = forms_.items[f].next) {
                const linear_form& form = forms_.items[f];
                if (form.count > top - bottom) continue;
                ratio = over(t.c, form_terms_.items[form.first].c);
                bool all = true;
                for (int k = form.first + 1; k < form.first + form.count && all; ++k) {
                    const term u = form_terms_.items[k];
                    const int place = position_.items[u.id] - 1;
                    all = place >= 0 && scratch_.items[place].c == times(ratio, u.c);
                }
                if (all) found = &form;
            }
        }
        for (int i = bottom; i < top; ++i) position_.items[scratch_.items[i].id] = 0;
        if (found == nullptr) return false;
        int kept = bottom;
        for (int i = bottom; i < top; ++i) {
            bool within = false;
            for (int k = found->first; k < found->first + found->count; ++k)
                within = within || form_terms_.items[k].id == scratch_.items[i].id;
            if (!within) scratch_.items[kept++] = scratch_.items[i];
        }
        scratch_.truncate(kept);
        scratch_.push_back({ratio, found->value});
        return true;
    }

    [[nodiscard]] constexpr bool has_factor(term t, term factor) const {
        const int e = exponent_of(t.id, factor.id);
        return e != 0 && (e < 0) == (factor.c < 0);
    }
    // The same for the terms that have a factor in common, which is taken out of them.
    constexpr bool replace_factored_form(int bottom) {
        const term factor = frequent_factor(bottom);
        if (factor.is_zero()) return false;
        const int top = scratch_.count;
        for (int i = bottom; i < top; ++i)
            if (has_factor(scratch_.items[i], factor)) scratch_.push_back(term(scratch_.items[i]));
        const int end = scratch_.count;
        if (push_common_factors(top)) {
            divide_terms(top, end);
            const term common = pooled_product(end);
            if (replace_linear_form(top)) {
                const term whole = multiply(common, sum_since(top));
                int kept = bottom;
                for (int i = bottom; i < top; ++i)
                    if (!has_factor(scratch_.items[i], factor)) scratch_.items[kept++] = scratch_.items[i];
                scratch_.truncate(kept);
                push_term(whole);
                return true;
            }
        }
        scratch_.truncate(top);
        return false;
    }

    constexpr void collect_like_terms(int bottom) {
        if (position_.count < size()) position_.resize(size() + size() / 2, 0);
        bool vanished = false;
        int kept = bottom;
        for (int i = bottom; i < scratch_.count; ++i) {
            const term t = scratch_.items[i];
            const int seen = position_.items[t.id];
            if (seen == 0) {
                scratch_.items[kept] = t;
                position_.items[t.id] = ++kept;
                continue;
            }
            term& first = scratch_.items[seen - 1];
            const coefficient sum = value(first.c) + value(t.c);
            if (sum.is_zero()) {
                // Mark it as vanished; an equal term that follows starts anew.
                position_.items[t.id] = 0;
                first.id = -1;
                vanished = true;
            } else {
                first.c = coefficient_number(sum);
            }
        }
        for (int i = bottom; i < kept; ++i)
            if (scratch_.items[i].id >= 0) position_.items[scratch_.items[i].id] = 0;
        scratch_.truncate(kept);
        if (!vanished) return;
        kept = bottom;
        for (int i = bottom; i < scratch_.count; ++i)
            if (scratch_.items[i].id >= 0) scratch_.items[kept++] = scratch_.items[i];
        scratch_.truncate(kept);
    }

    [[nodiscard]] constexpr int exponent_of(int id, int factor) const {
        const node& n = nodes.items[id];
        if (n.what != kind::product) return id == factor ? 1 : 0;
        for (int i = 0; i < n.b; ++i)
            if (pool.items[n.a + i].id == factor) return pool.items[n.a + i].c;
        return 0;
    }

    // Pushes the factors that every term since bottom has, where taking them out saves operations (a product and a sum
    // count as one fused operation); pushes nothing and returns false otherwise.
    constexpr bool push_common_factors(int bottom) {
        const int first = scratch_.items[bottom].id;
        int before = 0, after = 1;
        bool had_single = false, has_single = false;
        const int top = scratch_.count;
        const int factors = scratch_.count;
        push_factors(first);
        for (int i = bottom; i < top; ++i) {
            if (scratch_.items[i].id == one) scratch_.truncate(factors);
            int kept = factors;
            for (int k = factors; k < scratch_.count; ++k) {
                const term f = scratch_.items[k];
                const int e = exponent_of(scratch_.items[i].id, f.id);
                if (e == 0 || (e < 0) != (f.c < 0)) continue;
                scratch_.items[kept++] = {(e < 0 ? e > f.c : e < f.c) ? e : f.c, f.id};
            }
            scratch_.truncate(kept);
            if (kept == factors) return false;
        }
        int weight = 0;
        for (int k = factors; k < scratch_.count; ++k) weight += scratch_.items[k].c < 0 ? -scratch_.items[k].c : scratch_.items[k].c;
        for (int i = bottom; i < top; ++i) {
            const int n = literals(scratch_.items[i].id) + (scratch_.items[i].c > 1 ? 1 : 0);
            before += n > 2 ? n - 1 : 1;
            after += n - weight > 2 ? n - weight - 1 : 1;
            had_single = had_single || n <= 1;
            has_single = has_single || n - weight <= 1;
        }
        if (after - (has_single ? 1 : 0) > before - (had_single ? 1 : 0)) {
            scratch_.truncate(factors);
            return false;
        }
        return true;
    }

    // Divides the terms from bottom to top by the product of the factors from top on.
    constexpr void divide_terms(int bottom, int top) {
        const int end = scratch_.count;
        for (int i = bottom; i < top; ++i) {
            push_factors(scratch_.items[i].id);
            int kept = end;
            for (int k = end; k < scratch_.count; ++k) {
                term f = scratch_.items[k];
                for (int j = top; j < end; ++j)
                    if (scratch_.items[j].id == f.id) f.c -= scratch_.items[j].c;
                if (f.c != 0) scratch_.items[kept++] = f;
            }
            scratch_.truncate(kept);
            scratch_.items[i].id = pooled_product(end).id;
        }
    }

    // The factor that most terms since bottom have, with the sign of its exponent; zero if fewer than three have one.
    [[nodiscard]] constexpr term frequent_factor(int bottom) {
        const int top = scratch_.count;
        for (int i = bottom; i < top; ++i)
            if (scratch_.items[i].id != one) push_factors(scratch_.items[i].id);
        const int end = scratch_.count;
        term best;
        int most = 2;
        for (int k = top; k < end; ++k) {
            const term f = scratch_.items[k];
            if (f.id < 0) continue;
            int occurrences = 0;
            for (int j = k; j < end; ++j) {
                if (scratch_.items[j].id != f.id || (scratch_.items[j].c < 0) != (f.c < 0)) continue;
                ++occurrences;
                if (j > k) scratch_.items[j].id = -1;
            }
            if (occurrences <= most) continue;
            most = occurrences;
            best = {f.c < 0 ? -1 : 1, f.id};
        }
        scratch_.truncate(top);
        return best;
    }

    // The magnitude that most coefficients share, with the sign that most of the terms then have.
    [[nodiscard]] constexpr int common_scale(int bottom) const {
        int best = 0, best_count = 0, negative = 0;
        for (int i = bottom; i < scratch_.count; ++i) {
            negative += scratch_.items[i].c & 1;
            if (best_count > 0 && (scratch_.items[i].c >> 1) == (best >> 1)) continue;
            int count = 0;
            for (int k = i; k < scratch_.count; ++k) count += (scratch_.items[k].c >> 1) == (scratch_.items[i].c >> 1) ? 1 : 0;
            if (count > best_count) {
                best = scratch_.items[i].c & ~1;
                best_count = count;
            }
        }
        const int total = scratch_.count - bottom;
        const bool flip = 2 * negative > total || (2 * negative == total && (scratch_.items[bottom].c & 1) != 0);
        return best | (flip ? 1 : 0);
    }

    // Hash-consing ---------------------------------------------------------------------------------------------------

    constexpr int intern(node n) {
        hash_value h = mix(static_cast<hash_value>(n.what) * 256 + n.function, static_cast<hash_value>(n.a + 1));
        const bool commutes = n.what == kind::add || n.what == kind::multiply;
        if (commutes && n.b < n.a)
            h = mix(mix(static_cast<hash_value>(n.what) * 256, static_cast<hash_value>(n.b + 1)),
                    static_cast<hash_value>(n.a + 1));
        else
            h = mix(h, static_cast<hash_value>(n.b + 1));
        unsigned place = static_cast<unsigned>(h) & mask();
        for (; table_.items[static_cast<int>(place)] >= 0; place = (place + 1) & mask()) {
            const int id = table_.items[static_cast<int>(place)];
            if (hashes_.items[id] != h) continue;
            const node& m = nodes.items[id];
            if (m.what == n.what && m.function == n.function &&
                ((m.a == n.a && m.b == n.b) || (commutes && m.a == n.b && m.b == n.a)))
                return id;
        }
        return insert(n, h, place);
    }

    // A sum or product of what stands on the scratch stack from bottom; takes it away. Order does not matter for
    // identity, and the order of the first is kept.
    constexpr int intern_pooled(kind what, int bottom) {
        const int count = scratch_.count - bottom;
        hash_value h = mix(static_cast<hash_value>(what), static_cast<hash_value>(count));
        for (int i = bottom; i < scratch_.count; ++i)
            h += mix(static_cast<hash_value>(scratch_.items[i].c + 1000), static_cast<hash_value>(scratch_.items[i].id));
        unsigned place = static_cast<unsigned>(h ^ (h >> 32)) & mask();
        for (; table_.items[static_cast<int>(place)] >= 0; place = (place + 1) & mask()) {
            const int id = table_.items[static_cast<int>(place)];
            if (hashes_.items[id] != h || nodes.items[id].what != what || nodes.items[id].b != count || !same_pool(id, bottom)) continue;
            scratch_.truncate(bottom);
            return id;
        }
        const int first = pool.count;
        for (int i = bottom; i < scratch_.count; ++i) pool.push_back(scratch_.items[i]);
        scratch_.truncate(bottom);
        return insert({what, 0, first, count}, h, place);
    }

    [[nodiscard]] constexpr bool same_pool(int id, int bottom) const {
        for (int i = bottom; i < scratch_.count; ++i) {
            bool found = false;
            for (int k = 0; k < nodes.items[id].b && !found; ++k) found = pool.items[nodes.items[id].a + k] == scratch_.items[i];
            if (!found) return false;
        }
        return true;
    }

    [[nodiscard]] constexpr unsigned mask() const { return static_cast<unsigned>(table_.count) - 1; }

    constexpr int insert(node n, hash_value h, unsigned place) {
        const int id = nodes.count;
        nodes.push_back(n);
        hashes_.push_back(h);
        graph_data::canonical.push_back({});
        table_.items[static_cast<int>(place)] = id;
        if (2 * nodes.count > table_.count) {
            table_ = list<int>(4 * table_.count, -1);
            for (int i = 0; i < nodes.count; ++i) {
                const hash_value k = hashes_.items[i];
                const bool pooled = nodes.items[i].what >= kind::sum;
                place = static_cast<unsigned>(pooled ? k ^ (k >> 32) : k) & mask();
                while (table_.items[static_cast<int>(place)] >= 0) place = (place + 1) & mask();
                table_.items[static_cast<int>(place)] = i;
            }
        }
        return id;
    }
};

} // namespace chainrule::program
