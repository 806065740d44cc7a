// SPDX-License-Identifier: BSL-1.0
//
// The canonical graph: hash-consed nodes in plain arrays, so that the same operation on the same operands is one node.
// Values are kept exactly as written; derivatives are n-ary sums and products with exact coefficients, so that like
// terms and common factors meet where they arise. The functions are defined in graph/canonical_graph/nodes.hpp,
// products.hpp, sums.hpp, guards.hpp and exponentials.hpp; graph/lower.hpp fills a graph from an expression's type.
#pragma once

#include <chainrule/graph/linear_forms.hpp>
#include <chainrule/graph/custom_functions.hpp>
#include <chainrule/graph/monomials.hpp>

namespace chainrule::graph {

/// Constructs an empty graph, for data that will be read into it.
struct empty_graph_tag {};

class canonical_graph : public graph_data {
public:
    constexpr explicit canonical_graph(empty_graph_tag) {}
    constexpr canonical_graph() : table_(1024) {
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
    [[nodiscard]] constexpr int variable(int position) { return intern(kind::variable, 0, position, -1); }
    [[nodiscard]] constexpr int stored_number(int position) { return intern(kind::stored_number, 0, position, -1); }
    [[nodiscard]] constexpr int call(unsigned function, int a, int b = -1, int c = -1) {
        conditional_ = conditional_ || is_share_function(function) || function == functions::weighted::position;
        marked_ = marked_ || function == functions::relaxed::position;
        return c < 0 ? intern(kind::call, function, a, b) : intern_three(kind::call_of_three, function, a, b, c);
    }
    /// The custom functions of this graph: entry i has the number first_custom_function + i.
    list<custom_function_entry> custom_functions;
    [[nodiscard]] constexpr unsigned custom_function_number(hash_value hash, derivative_formula formula);
    /// Applies only rewrites that are exact in IEEE arithmetic.
    [[nodiscard]] constexpr int negate(int a);
    [[nodiscard]] constexpr int binary(kind what, int a, int b);
    [[nodiscard]] constexpr int condition(relation what, int a, int b = -1);
    /// Whether x is finite (equal) or not (not_equal): x - x is compared with itself. A canonical sum would make it 0.
    [[nodiscard]] constexpr int finiteness(relation what, int x) {
        const int difference = binary(kind::subtract, x, x);
        return condition(what, difference, difference);
    }
    /// a if the condition holds, else b.
    [[nodiscard]] constexpr int select(int c, int a, int b);
    /// pow(a, b) for a constant b with a cheap form: by definition, an integer power is the product x * x * ... and the
    /// power 1/2 is the square root. -1 for any other b.
    [[nodiscard]] constexpr int exact_power(int a, int b);
    [[nodiscard]] constexpr bool is_integer(int id) const {
        return nodes.items[id].what == kind::constant && value(nodes.items[id].a).denominator == 1;
    }
    [[nodiscard]] constexpr bool is_zero(int id) const {
        return nodes.items[id].what == kind::constant && nodes.items[id].a == zero_number_;
    }

    // Products of derivatives: graph/canonical_graph/products.hpp
    // ---------------------------------------------------------

    /// The node as a coefficient times a product of powers, with products, quotients, signs and constants expanded.
    [[nodiscard]] constexpr term canonical(int id);
    [[nodiscard]] constexpr term canonical(term t);
    /// Computes the canonical forms of the operands of a value, so that canonical() need not go deep. Returns false if
    /// its effort() reached `most` before.
    constexpr bool expand_operands(int id, int most);
    /// The number of values, once derivatives begin.
    [[nodiscard]] constexpr int value_count() const { return value_count_; }
    [[nodiscard]] constexpr term number(const coefficient& c);
    /// The product of two canonical terms.
    [[nodiscard]] constexpr term multiply(term s, term t);
    /// A canonical term to an integer power.
    [[nodiscard]] constexpr term power(term t, int exponent);
    /// A product node without one power of its factor number i. Division would not work, since a product that is a
    /// factor stays one factor.
    [[nodiscard]] constexpr term without_factor(int id, int i, int exponent = 1);
    /// A canonical term without a power that is one of its factors.
    [[nodiscard]] constexpr term without_factor(term t, term power);
    /// A canonical term if the condition holds, else zero: a product with the condition as a factor. The same for
    /// another guard.
    [[nodiscard]] constexpr term guarded(term t, int guard);
    /// A number as a guard: where it is zero, a product with it is zero.
    [[nodiscard]] constexpr int guard_of(int number);
    /// Whether a node guards, or is a product with a factor that does.
    [[nodiscard]] constexpr bool has_guard(int id) const;

    // Sums of derivatives: graph/canonical_graph/sums.hpp
    // -----------------------------------------------------------------

    constexpr void push_term(term t) {
        if (!t.is_zero()) scratch_.push_back(t);
    }
    [[nodiscard]] constexpr int mark() const { return scratch_.count; }
    /// The sum of the canonical terms that were pushed since `bottom`; pops them. `result`: the sum is a requested
    /// derivative and so not a factor of any product.
    [[nodiscard]] constexpr term sum_since(int bottom, bool result = false);
    [[nodiscard]] constexpr term add(term s, term t);
    /// A node for the term, which sums and products treat as one term or factor.
    [[nodiscard]] constexpr int sum_of_one(term t);
    /// A node with the value of the term, for use as the argument of a function.
    [[nodiscard]] constexpr int node_of(term t);
    /// Collects like terms among those pushed since `bottom`, and passes on the rest.
    constexpr void collect_since(int bottom, list<term>& terms);
    /// The sum of these terms, without factoring anything out.
    [[nodiscard]] constexpr term plain_sum(const term* terms, int count);
    /// Makes products of any length one product, for polynomials.
    constexpr void keep_products_whole() { longest_product_ = 1 << 20; }
    /// Keeps products of few high powers whole, for derivatives that are read: pow(x, 19) y. In programs they would
    /// take the passes behind too long.
    constexpr void keep_powers_whole() { most_powers_ = 6; }
    /// Lets derivatives reuse the long sums among the values wherever they occur in a sum. The values are the first
    /// `count` nodes.
    constexpr void record_linear_forms(int count);
    [[nodiscard]] constexpr int linear_form_count() const { return forms_.size(); }
    [[nodiscard]] constexpr int linear_form_terms() const { return forms_.term_count(); }
    /// Prepares a graph whose data were read from elsewhere for new nodes.
    constexpr void make_unique();
    /// Lets values be rearranged like derivatives (graph/relaxed.hpp), until the end. `conditional`: whether there will
    /// be a condition or a share anywhere.
    constexpr void begin_relaxed_values(bool conditional) {
        relaxing_ = true;
        conditional_ = conditional;
    }
    constexpr void end_relaxed_values() {
        relaxing_ = false;
        work_ = 0;
        exponentials_.truncate(0);
        monomials_.truncate(0);
    }
    [[nodiscard]] constexpr bool is_conditional() const { return conditional_; }
    /// Whether relaxed() marks a value.
    [[nodiscard]] constexpr bool is_marked() const { return marked_; }
    /// Makes room for so many further nodes; returns whether that took time.
    constexpr bool expect(int further) {
        if (2 * (nodes.count + further) <= table_.count) return false;
        rehash(4 * table_.count);
        return true;
    }
    /// The work so far in units of about 22 executed blocks of code, which clang counts as up to 40 steps: a node takes
    /// four, and a term or what is read half of one.
    [[nodiscard]] constexpr int effort() const {
        return 4 * nodes.count + (5 * pool.count + 3 * effort_) / 8 + 2 * coefficients.computed;
    }
    /// Makes the table of a graph of more than 2048 nodes so large that they are rarely placed anew. (Compilers count
    /// the steps of an evaluation.)
    constexpr void grow_fast() { grows_fast_ = true; }
    /// Calls visit(member) for each member that the addition of nodes needs besides the data.
    template <class Graph, class Visitor>
    static constexpr void each_index(Graph& g, Visitor& visit) {
        visit(g.table_);
        visit(g.zero_number_);
        visit(g.conditional_);
        visit(g.value_count_);
        linear_forms::each_member(g.forms_, visit);
    }

private:
    // Longer products stay nested, which bounds the optimiser's work per product.
    int longest_product_ = 12;
    int most_powers_ = 1; // but a product of so many powers is not long up to highest_power_
    // So do products with more conditions, which are joined into conjunctions, or with more shares, which are
    // multiplied, as are a share and a sum.
    static constexpr int most_guards_ = 2;
    // Up to this exponent, a power is products, as in the derivative of pow(x, 20), and one factor of a product.
    static constexpr int highest_power_ = 64;

    bool grows_fast_ = false;
    int effort_ = 0;                             // factors and guards that were read
    static constexpr int effort_of_finding = 16; // a sum or product that is there already
    index_table table_;                          // open addressing; 0, the id of the constant 1, marks a free entry
    int zero_number_ = -2;
    list<term> scratch_; // a stack of terms, from which sums and products are built
    list<int> position_; // by node: its position among the terms being processed, plus one; 0 between calls
    linear_forms forms_;
    bool conditional_ = false;               // whether there is a condition or a share anywhere
    int value_count_ = 0;                    // how many of the first nodes are values, once derivatives begin
    bool marked_ = false, relaxing_ = false; // whether relaxed() marks a value, whether these are being rearranged

    // Exponentials: graph/canonical_graph/exponentials.hpp. To compare each with each would take quadratic time, and
    // clang counts about ten steps for each unit of work.
    static constexpr int most_exponentials = 8, most_work = 20000;
    int work_ = 0;
    bool noted_exponentials_of_values_ = false;
    list<exponential> exponentials_;
    list<monomial> monomials_;

    constexpr void multiply_factor(monomial& m, term factor);
    constexpr bool add_monomial(list<monomial>& sum, const monomial& m);
    [[nodiscard]] constexpr bool expands(term factor);
    [[nodiscard]] constexpr bool expand(term whole, list<monomial>& expanded);
    [[nodiscard]] constexpr bool is_bell_curve(int exponent);
    [[nodiscard]] constexpr term exponential_of(const list<monomial>& rest);
    constexpr void subtract_exponent(list<monomial>& from, const exponential& e, bool reciprocal);
    constexpr void note_exponential(int id, const list<monomial>& exponent, bool bell);
    constexpr void note_exponentials_of_values();
    [[nodiscard]] constexpr term canonical_exponential(int id);

    // Compilers limit how deep calls are nested in a constant evaluation, to 512.
    static constexpr int most_depth_ = 200;
    int cancelled_ = 0; // how often factors were cancelled so far
    constexpr void note_cancelling(int id, bool here);
    int depth_ = 0; // of the calls of canonical()
    constexpr void push_factors(int id);
    constexpr term pooled_product(int bottom);
    [[nodiscard]] constexpr term with_coefficient(int c, term t);
    [[nodiscard]] constexpr term with_bounded_coefficient(term t);
    constexpr term merged_product(int bottom, int middle);
    constexpr int cancel_radicand(int bottom, term& root, int& c);
    [[nodiscard]] constexpr bool is_reducible(term root) const;
    constexpr term reduced_roots(int bottom);
    [[nodiscard]] constexpr bool contradicts(int bottom) const;
    constexpr term nested_product(int bottom, int middle);
    [[nodiscard]] constexpr bool have_guards(const term* terms, int count) const;
    constexpr void take_guards(int bottom, int& middle, list<int>& left, list<int>& right);

    constexpr void make_positions();
    constexpr bool replace_linear_form(int bottom);
    [[nodiscard]] constexpr bool has_factor(term t, term factor) const;
    constexpr bool factor_out(int bottom, bool result);
    constexpr void collect_like_terms(int bottom);
    [[nodiscard]] constexpr int exponent_of(int id, int factor) const;
    constexpr bool push_common_factors(int bottom);
    constexpr void divide_terms(int bottom, int top);
    [[nodiscard]] constexpr term frequent_factor(int bottom);
    [[nodiscard]] constexpr int common_scale(int bottom) const;

    // Terms with conditions: graph/canonical_graph/guards.hpp.
    constexpr int both(int c, int d);
    [[nodiscard]] constexpr bool implies(int c, int d) const;
    constexpr int product_of_shares(const list<int>& shares);
    constexpr void take_shares(list<int>& from, list<int>& shares);
    constexpr term product_of_few_guards(int bottom, int middle);
    constexpr void push_guards(int id);
    [[nodiscard]] constexpr term without_guards(term t);
    [[nodiscard]] constexpr bool opposite(int c, int d) const;
    // The terms of a sum that have guards, in lists by a hash of these.
    struct guarded_terms {
        list<int> positions; // of the terms on the stack
        list<unsigned> hashes;
        list<int> next; // the next term of the same list, or -1
        list<int> heads;

        [[nodiscard]] constexpr int& head(unsigned hash) {
            return heads.items[static_cast<int>((hash ^ hash >> 15) & static_cast<unsigned>(heads.count - 1))];
        }
    };
    [[nodiscard]] constexpr unsigned hash_of_guard(term guard) const;
    [[nodiscard]] constexpr unsigned hash_of_guards(int id) const;
    [[nodiscard]] constexpr bool have_same_guards(int s, int t);
    [[nodiscard]] constexpr bool have_opposite_guards(int s, int t, int& c);
    [[nodiscard]] constexpr bool note_guards(int bottom, guarded_terms& found);
    constexpr bool join_guarded_terms(int bottom);
    constexpr bool join_opposite_terms(int bottom);

    // Hash-consing: graph/canonical_graph/nodes.hpp.
    constexpr int zero_coefficient();
    [[nodiscard]] constexpr int place_of(kind what, unsigned function, int a, int b) const;
    [[nodiscard]] constexpr int place_of(kind what, const term* terms, int count) const;
    [[nodiscard]] constexpr int mask() const { return table_.count - 1; }

    [[nodiscard]] constexpr int find(kind what, int a, int b) const;
    [[nodiscard]] constexpr term written_sum(int bottom) const;
    [[nodiscard]] constexpr bool push_written_terms(const list<term>& leaves);
    constexpr int intern(kind what, unsigned function, int a, int b);
    constexpr int intern_pooled(kind what, int bottom, unsigned function = 0);
    constexpr int intern_three(kind what, unsigned function, int a, int b, int c);
    [[nodiscard]] static constexpr bool same_terms(const term* s, const term* t, int count);
    [[nodiscard]] static constexpr bool same_order(const term* s, const term* t, int count);
    constexpr int insert(node n, int place);
    constexpr void rehash(int size);
};

} // namespace chainrule::graph
