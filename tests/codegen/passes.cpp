// SPDX-License-Identifier: BSL-1.0
//
// The passes of the compiler one by one: what each does to a small graph. A failure here names the pass. That all of
// them together keep values and derivatives right is for property/fuzz.cpp to see.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <list>
#include <string>
#include <vector>

namespace {

namespace cr = chainrule;
namespace codegen = chainrule::codegen;
using codegen::operation;
using cr::graph::kind;
using cr::graph::relation;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

/// A graph with two variables, and outputs in it.
struct small : codegen::compilation {
    cr::graph::canonical_graph& g;
    int a, b;
    int next = 0; // the pass that comes next

    small() : compilation(cr::differentiate::problem()), g(derived.g), a(g.variable(0)), b(g.variable(1)) {
        derived.variable_count = 2;
    }
    int times(int l, int r) { return g.binary(kind::multiply, l, r); }
    int plus(int l, int r) { return g.binary(kind::add, l, r); }
    cr::graph::term product(int l, int r) { return g.multiply(g.canonical(l), g.canonical(r)); }
    void output(cr::graph::term t) { derived.outputs.push_back(t); }
    void output(int id) { output(cr::graph::term{0, id}); }
    /// Runs the passes up to the one of this name, which is the last.
    void run_to(const char* name) {
        int last = 0;
        while (std::string(codegen::passes[last].name) != name) ++last;
        next = codegen::run_passes(*this, next, last + 1);
        REQUIRE(next == last + 1);
    }
    std::vector<operation> body() const {
        std::vector<operation> found;
        for (const codegen::instruction& i : made.body) found.push_back(i.what);
        return found;
    }
    int count(operation what) const {
        int n = 0;
        for (const codegen::instruction& i : made.body) n += i.what == what ? 1 : 0;
        return n;
    }
};

} // namespace

TEST_CASE("the list of passes", "[passes]") {
    std::vector<std::string> names;
    for (const codegen::pass& p : codegen::passes) names.push_back(p.name);
    CHECK(names == std::vector<std::string>{"derive", "products", "constant factors", "pairs", "schedule", "order"});
    // What a pass reads, an earlier one has made, or it is there from the beginning.
    for (int i = 1; i < codegen::pass_count; ++i) {
        const unsigned made = codegen::parts_changed(0, i) | codegen::parts::intermediate;
        CAPTURE(names[static_cast<std::size_t>(i)]);
        CHECK((codegen::passes[i].reads & ~made) == 0);
    }
}

TEST_CASE("lowering makes equal subexpressions one node, and stored numbers never", "[passes]") {
    const auto lowered = [](auto f) {
        cr::graph::canonical_graph g;
        cr::graph::lowering l(g);
        (void)l.run<decltype(f)>();
        return g.size() - 1; // but for the constant 1
    };
    CHECK(lowered(sin(x * y) + sin(x * y)) == 5); // x, y, x * y, sin, +
    CHECK(lowered(sin(x * y) + sin(y * x)) == 5);
    CHECK(lowered(2.0 * x + 2.0 * x) == 6); // x, two numbers, two products, +
}

TEST_CASE("canonical products collect factors, and canonical sums like terms", "[passes]") {
    small s;
    CHECK(s.product(s.a, s.b) == s.product(s.b, s.a));
    CHECK(s.product(s.g.binary(kind::divide, s.a, s.b), s.b) == s.g.canonical(s.a));
    CHECK(s.g.multiply(s.product(s.a, s.b), s.g.power(s.product(s.a, s.b), -1)) ==
          s.g.number(cr::core::coefficient(1)));
    const cr::graph::term ab = s.product(s.a, s.b), twice = s.g.add(ab, ab);
    CHECK(twice.id == ab.id);
    CHECK(s.g.value(twice.c) == cr::core::coefficient(2));
    CHECK(s.g.add(ab, -ab).is_zero());
}

TEST_CASE("guards keep a factor out where their condition does not hold", "[passes]") {
    small s;
    const int positive = s.g.condition(relation::less, cr::graph::canonical_graph::one, s.a);
    const int otherwise = s.g.condition(relation::negation, positive);
    const cr::graph::term guarded = s.g.guarded(s.g.canonical(s.a), positive);
    CHECK(s.g.has_guard(guarded.id));
    CHECK(s.g.guarded(guarded, positive) == guarded);
    CHECK(s.g.multiply(guarded, s.g.canonical(s.b)) == s.g.guarded(s.product(s.a, s.b), positive));
    CHECK(s.g.guarded(guarded, otherwise).is_zero());
    // Two terms with opposite guards are one choice.
    const cr::graph::term either = s.g.add(guarded, s.g.guarded(s.g.canonical(s.b), otherwise));
    CHECK(s.g[either.id].what == kind::select);
}

TEST_CASE("deriving stops when the graph has grown, and goes on to the same graph", "[passes]") {
    const auto derived = [](int growth) {
        small s;
        const int f = s.g.call(cr::functions::sin::position, s.times(s.times(s.a, s.b), s.plus(s.a, s.b)));
        cr::core::list<int> by;
        by.push_back(s.a);
        by.push_back(s.b);
        cr::core::list<cr::graph::term> roots;
        roots.push_back({0, f});
        cr::differentiate::derive_requested(s.derived, roots, by, cr::request::jacobians, cr::jacobian_mode::reverse,
                                            growth);
        int pieces = 1;
        while (!codegen::passes[0].run(s, {growth})) ++pieces;
        return std::pair(pieces, s.g.size());
    };
    const auto [one, size] = derived(1 << 30);
    const auto [several, same_size] = derived(2);
    CHECK(one == 1);
    CHECK(several > 1);
    CHECK(same_size == size);
}

TEST_CASE("products are what a value equals anyway, or have it as a factor", "[passes]") {
    small s;
    const int value = s.times(s.a, s.b);
    s.output(value);
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(s.g.call(cr::functions::exp::position, s.a))));
    s.run_to("products");
    const int id = s.derived.outputs[1].id;
    REQUIRE(s.products.factors_of[id] >= 0);
    const cr::optimise::plan p = s.products.plans[s.products.factors_of[id]];
    REQUIRE(p.count == 2); // the value, and the exponential
    CHECK(s.products.literals[p.first] == 2 * value);
}

TEST_CASE("a stored number times a variable is a factor only where it is computed apart", "[passes]") {
    enum class use { added, called, selected, output, intermediate };
    const auto factors = [](use other, bool swapped) {
        small s;
        const int number = s.g.slot(0);
        const int value = swapped ? s.times(s.a, number) : s.times(number, s.a);
        s.output(s.plus(s.b, value));
        if (other == use::added) s.output(s.g.binary(kind::subtract, s.b, value));
        if (other == use::called) s.output(s.g.call(cr::functions::sin::position, value));
        if (other == use::selected) s.output(s.g.select(s.g.condition(relation::less, s.a, s.b), value, s.b));
        if (other == use::output) s.output(value);
        if (other == use::intermediate) s.g.intermediate.push_back({0, value});
        const cr::graph::term longer = s.g.multiply(s.product(number, s.a), s.g.canonical(s.b));
        s.output(longer);
        s.run_to("products");
        REQUIRE(s.products.factors_of[longer.id] >= 0);
        return s.products.plans[s.products.factors_of[longer.id]].count;
    };
    for (const bool swapped : {false, true}) {
        CAPTURE(swapped);
        CHECK(factors(use::added, swapped) == 3);
        CHECK(factors(use::called, swapped) == 2); // the value, and b
        CHECK(factors(use::selected, swapped) == 2);
        CHECK(factors(use::output, swapped) == 2);
        CHECK(factors(use::intermediate, swapped) == 2);
    }
}

TEST_CASE("the square of a value 1 / sqrt(u) needs no other division", "[passes]") {
    const auto divisions = [](bool value) {
        small s;
        const int root = s.g.call(cr::functions::sqrt::position, s.a);
        s.output(value ? s.g.binary(kind::divide, cr::graph::canonical_graph::one, root) : root);
        s.output(s.g.multiply(s.g.power(s.g.canonical(root), -2), s.g.canonical(s.b)));
        s.output(s.g.multiply(s.g.power(s.g.canonical(root), -7), s.g.canonical(s.b))); // 1 / (u^3 sqrt(u))
        s.output(s.g.multiply(s.g.power(s.g.canonical(root), 2), s.g.canonical(s.b)));
        s.run_to("schedule");
        return s.count(operation::divide);
    };
    CHECK(divisions(true) == 1);
    CHECK(divisions(false) == 2); // by u, which exists, and by sqrt(u)
}

TEST_CASE("1 / u is not the square of 1 / sqrt(u) where it exists for negative u, too", "[passes]") {
    const auto divisions = [](bool squares) {
        small s;
        const int u = squares ? s.g.binary(kind::add, s.times(s.a, s.a), s.times(s.b, s.b)) : s.a;
        const int root = s.g.call(cr::functions::sqrt::position, u);
        s.output(s.g.binary(kind::divide, cr::graph::canonical_graph::one, root));
        s.output(s.g.multiply(s.g.power(s.g.canonical(u), -1), s.g.canonical(s.b)));
        s.run_to("schedule");
        return s.count(operation::divide);
    };
    CHECK(divisions(true) == 1);
    CHECK(divisions(false) == 2);
}

TEST_CASE("constant factors go where they vanish", "[passes]") {
    // s = 200 t is an output, 400 x t is 2 x s.
    small s;
    const int t = s.g.call(cr::functions::exp::position, s.b);
    const auto scaled = [&](int n, cr::graph::term u) { return s.g.multiply(s.g.number(cr::core::coefficient(n)), u); };
    const cr::graph::term sum = s.g.add(s.g.canonical(t), s.g.canonical(s.a));
    s.output(scaled(200, sum));
    s.output(scaled(200, s.g.multiply(sum, s.g.canonical(s.b))));
    s.run_to("constant factors");
    // One multiplication by 200: that of the sum, which both outputs use as it is then.
    CHECK(s.derived.outputs[0].c == 0);
    CHECK(s.derived.outputs[1].c == 0);
    CHECK(s.derived.outputs[0].id == sum.id);
}

TEST_CASE("two divisors of relaxed values share a reciprocal", "[passes]") {
    // Divisions of (a / (u v), p) where u = a + 1, and p is a quotient by v or another number.
    enum class second { by_both_and_one, by_one, in_conditional, feeds_divisor, by_fifth_power };
    const auto divisions = [](second what, bool rearranged = true) {
        small s;
        s.derived.rearranged = rearranged;
        const int one = cr::graph::canonical_graph::one;
        const auto over = [&](int u, int exponent = -1) { return s.g.power(s.g.canonical(u), exponent); };
        const int u = s.plus(s.a, one);
        const int v = what == second::feeds_divisor
                          ? s.plus(s.g.node_of(s.g.multiply(s.g.canonical(s.b), over(u))), one)
                          : s.plus(s.b, one);
        const cr::graph::term both = s.g.multiply(over(u), over(v));
        s.output(s.g.multiply(both, s.g.canonical(s.a)));
        const cr::graph::term alone =
            s.g.multiply(over(v, what == second::by_fifth_power ? -5 : -1), s.g.canonical(s.b));
        if (what == second::by_one)
            s.output(alone);
        else // a sum, so that this output is divided by both, too
            s.output(s.g.add(s.g.multiply(both, s.g.canonical(s.b)), alone));
        if (what == second::in_conditional) s.output(s.g.select(s.g.condition(relation::less, s.a, s.b), s.a, s.b));
        s.run_to("schedule");
        return s.count(operation::divide);
    };
    CHECK(divisions(second::by_both_and_one) == 1);
    CHECK(divisions(second::by_both_and_one, false) == 2);
    CHECK(divisions(second::by_one) == 2); // where u is 0, this output must stay finite
    CHECK(divisions(second::in_conditional) == 2);
    CHECK(divisions(second::feeds_divisor) == 2);
    CHECK(divisions(second::by_fifth_power) == 2); // five multiplications cost as much as a division
}

TEST_CASE("a pair of factors that several products have becomes a product of its own", "[passes]") {
    small s;
    const int c = s.g.variable(2), d = s.g.variable(3);
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(c)));
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(d)));
    s.run_to("constant factors");
    const int before = s.products.plans.size();
    CHECK(before == 2);
    s.run_to("pairs");
    CHECK(s.products.plans.size() == before + 1);
    for (const cr::optimise::plan& p : s.products.plans) CHECK(p.count == 2);
}

TEST_CASE("pairs are extracted in pieces until none is left", "[passes]") {
    small s;
    cr::graph::term all = s.g.canonical(s.a);
    for (int i = 2; i < 8; ++i) {
        all = s.g.multiply(all, s.g.canonical(s.g.variable(i)));
        s.output(s.g.multiply(all, s.g.canonical(s.b)));
    }
    s.run_to("constant factors");
    constexpr int pairs = codegen::pass_number("pairs");
    int pieces = 1;
    while (!codegen::passes[pairs].run(s, {-1, 3})) ++pieces;
    CHECK(pieces > 1);
    const int products = s.products.plans.size();
    CHECK(codegen::passes[pairs].run(s, {}));
    CHECK(s.products.plans.size() == products);
}

namespace {

using saved = codegen::saved_state<1 << 16>;

/// Derivatives of functions of so many random operations, the first piece of them: one function, or two of which the
/// second depends on one variable alone.
void derive_random_functions(small& s, int operations, unsigned request, int effort = 1 << 30, int functions = 1) {
    unsigned dice = 1;
    const auto below = [&](int n) { return static_cast<int>((dice = dice * 1664525u + 1013904223u) >> 16) % n; };
    cr::core::list<int> by, nodes;
    for (const int v : {s.a, s.b}) by.push_back(v), nodes.push_back(v);
    nodes.push_back(s.g.constant(cr::core::coefficient(3)));
    constexpr kind binary[] = {kind::add, kind::subtract, kind::multiply, kind::divide};
    for (int i = 0; i < operations; ++i) {
        const int x_ = nodes[nodes.size() - 1 - below(3)], y_ = nodes[below(nodes.size())];
        const int what = below(7);
        nodes.push_back(what < 4    ? s.g.binary(binary[what], x_, y_)
                        : what == 4 ? s.g.call(cr::functions::sin::position, x_)
                        : what == 5 ? s.g.call(cr::functions::sqrt::position, x_)
                                    : s.g.select(s.g.condition(relation::less, x_, y_), y_, x_));
    }
    cr::core::list<cr::graph::term> roots;
    roots.push_back({0, nodes.back()});
    if (functions == 2) roots.push_back({0, s.times(s.a, s.g.call(cr::functions::exp::position, s.a))});
    cr::differentiate::derive_requested(s.derived, roots, by, request, cr::jacobian_mode::reverse, effort);
}

/// The words of a finished program.
std::vector<codegen::packed> words_of(const saved& last) {
    const auto finished = codegen::finish(last);
    std::vector<codegen::packed> words(finished.body, finished.body + finished.size);
    for (int i = 0; i < 3 * finished.constant_count; ++i)
        words.push_back(static_cast<codegen::packed>(finished.constants.words[i]));
    return words;
}

/// The program of a value and a gradient, made in constant evaluations of so many visits each, and their number.
std::vector<codegen::packed> program_in_pieces(int visits, int& pieces) {
    small s;
    derive_random_functions(s, 150, cr::request::values | cr::request::jacobians);
    std::list<saved> states; // each refers to the one before
    states.push_back(codegen::begin<1 << 16>(static_cast<cr::differentiate::problem&&>(s.derived)));
    while (states.back().next < codegen::pass_count) {
        states.push_back(codegen::advance(states.back(), states.back().next + 1, {-1, visits}));
        REQUIRE(states.back().complete());
    }
    pieces = static_cast<int>(states.size());
    return words_of(states.back());
}

/// What comes of derivatives that are made in constant evaluations of so much effort each.
struct derivatives_in_pieces {
    std::vector<codegen::packed> words;
    std::vector<int> pattern;
    int pieces = 0;

    derivatives_in_pieces(unsigned request, int functions, int effort) {
        small s;
        derive_random_functions(s, 12, request, effort, functions);
        std::list<saved> states;
        states.push_back(codegen::begin<1 << 16>(static_cast<cr::differentiate::problem&&>(s.derived)));
        while (states.back().next == 0) states.push_back(codegen::advance(states.back(), 1, {effort, 1 << 30}));
        REQUIRE(states.back().complete());
        pieces = static_cast<int>(states.size());
        codegen::compilation read;
        codegen::read(states.back(), codegen::parts::inputs, read);
        pattern.assign(read.derived.pattern.begin(), read.derived.pattern.end());
        words = words_of(states.back());
    }
};

} // namespace

TEST_CASE("derivatives of every order in several evaluations make the same program", "[passes]") {
    using namespace cr::request;
    struct derivation {
        unsigned request;
        int functions, entries; // entries of the sparse form
    };
    // Of two functions of two variables, the second depends on the first of these alone. The first has degree two in
    // the second variable. Along a direction there is no sparse form.
    for (const auto [request, functions, entries] :
         {derivation{jacobians, 1, 2}, derivation{values | hessians, 2, 4}, derivation{jacobians | hessians, 1, 5},
          derivation{thirds, 1, 3}, derivation{jacobians | thirds, 2, 7}, derivation{hessians | thirds, 1, 6},
          derivation{cotangents, 2, 2}, derivation{weighted_hessians, 2, 3},
          derivation{cotangents | weighted_hessians, 2, 5}, derivation{tangents, 2, 0},
          derivation{hessian_products, 1, 0}, derivation{jacobians | cotangents, 1, 4},
          derivation{taylor_along | cr::differentiate::taylor_order(4), 2, 0}})
        for (const unsigned sparse : {0u, unsigned{without_zeros}}) {
            CAPTURE(request, functions, sparse);
            const derivatives_in_pieces whole(request | sparse, functions, 1 << 30);
            CHECK(whole.pieces == 1);
            CHECK(static_cast<int>(whole.pattern.size()) == (sparse != 0 ? entries : 0));
            for (const int effort : {1000, 100, 10}) {
                CAPTURE(effort);
                const derivatives_in_pieces other(request | sparse, functions, effort);
                CHECK(other.words == whole.words);
                CHECK(other.pattern == whole.pattern);
                if (effort == 10) CHECK(other.pieces > 1);
            }
        }
}

TEST_CASE("passes that stop early and go on in another evaluation make the same program", "[passes]") {
    int pieces = 0, more = 0;
    const std::vector<codegen::packed> whole = program_in_pieces(1 << 30, pieces);
    CHECK(pieces == codegen::pass_count);
    CHECK(whole.size() > 300);
    for (const int visits : {1000, 100, 7}) {
        CAPTURE(visits);
        CHECK(program_in_pieces(visits, more) == whole);
        CHECK(more > pieces);
        pieces = more;
    }
}

TEST_CASE("the schedule fuses, shares reciprocals, and pairs sines with cosines", "[passes]") {
    small s;
    s.output(s.g.call(cr::functions::sin::position, s.a));
    s.output(s.g.call(cr::functions::cos::position, s.a));
    s.output(s.plus(s.times(s.a, s.b), s.b));
    s.output(s.g.multiply(s.g.canonical(s.a), s.g.power(s.g.canonical(s.b), -1)));
    s.output(s.g.power(s.g.canonical(s.b), -2));
    s.run_to("schedule");
    CHECK(s.count(operation::sine_cosine) == 1);
    CHECK(s.count(operation::call) == 0);
    CHECK(s.count(operation::multiply_add) == 1);
    CHECK(s.count(operation::divide) == 1);
    CHECK(s.count(operation::output) == 5);
    CHECK(s.made.calls_end == 3); // the argument, the sine and the cosine
}

TEST_CASE("the order of registers ends the life of a number as soon as it can", "[passes]") {
    // Depth first, x * y waits for its negative until the first output is computed.
    small s;
    const int p = s.times(s.a, s.b), q = s.times(p, s.a);
    s.output(s.times(q, s.plus(q, s.b)));
    s.output(s.g.negate(p));
    s.run_to("schedule");
    const std::vector<operation> depth_first = s.body();
    s.run_to("order");
    const std::vector<operation> ordered = s.body();
    CHECK(ordered.size() == depth_first.size());
    CHECK(ordered != depth_first);
    const auto place = [](const std::vector<operation>& body, operation what) {
        std::size_t i = 0;
        while (body[i] != what) ++i;
        return i;
    };
    CHECK(place(ordered, operation::negate) < place(depth_first, operation::negate));
}
