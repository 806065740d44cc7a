// SPDX-License-Identifier: BSL-1.0
//
// Graphs keep each node once, in canonical form.
#include "../codegen/small_graph.hpp"

TEST_CASE("lowering makes equal subexpressions one node, and stored numbers never", "[passes]") {
    const auto lowered = [](auto f) {
        cr::graph::canonical_graph g;
        cr::graph::lowering l(g);
        (void)l.run<decltype(f)>();
        return g.size() - 1; // without the constant 1
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
