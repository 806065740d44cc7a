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

TEST_CASE("opposite powers of u and of its roots cancel", "[passes]") {
    small s;
    const cr::graph::term u = s.g.canonical(s.a);
    const cr::graph::term root = s.g.canonical(s.g.call(cr::functions::sqrt::position, s.a));
    const auto product = [&](int power, int power_of_root) {
        return s.g.multiply(s.g.power(u, power), s.g.power(root, power_of_root));
    };
    CHECK(product(1, -1) == root);
    CHECK(product(-1, 1) == s.g.power(root, -1));
    CHECK(product(1, -2) == s.g.number(cr::core::coefficient(1)));
    CHECK(product(3, -1) == product(2, 1));
    CHECK(product(-3, 1) == product(-2, -1));
    CHECK(product(-1, 5) == product(1, 1));
    CHECK(s.g.multiply(product(1, 1), s.g.power(root, -2)) == root);
    const cr::graph::term cube_root = s.g.canonical(s.g.call(cr::functions::cbrt::position, s.a));
    const auto product_of_cube_root = [&](int power, int power_of_root) {
        return s.g.multiply(s.g.power(u, power), s.g.power(cube_root, power_of_root));
    };
    CHECK(product_of_cube_root(1, -2) == cube_root);
    CHECK(product_of_cube_root(1, -1) == s.g.power(cube_root, 2));
    CHECK(product_of_cube_root(-2, 4) == s.g.power(cube_root, -2));
    CHECK(product_of_cube_root(0, 3) == u);
    const cr::graph::term b = s.g.canonical(s.b);
    CHECK(s.g.multiply(s.g.multiply(u, b), s.g.multiply(s.g.power(root, -2), b)) == s.g.multiply(b, b));
    // A radicand with a coefficient and several factors.
    const cr::graph::term quotient = s.g.multiply(s.g.power(u, 2), s.g.power(b, -1));
    const int four = s.g.constant(cr::core::coefficient(4));
    const cr::graph::term long_root = s.g.canonical(
        s.g.call(cr::functions::sqrt::position, s.g.binary(kind::divide, s.times(s.times(four, s.a), s.a), s.b)));
    const cr::graph::term quarter = s.g.power(s.g.canonical(four), -1);
    CHECK(s.g.multiply(quotient, s.g.power(long_root, -1)) == s.g.multiply(quarter, long_root));
    CHECK(s.g.multiply(s.g.power(quotient, -1), long_root) ==
          s.g.multiply(s.g.canonical(four), s.g.power(long_root, -1)));
    CHECK(s.g.multiply(s.g.multiply(quotient, u), s.g.power(long_root, -2)) == s.g.multiply(quarter, u));
    const cr::graph::term factor_missing = s.g.multiply(u, s.g.power(long_root, -1));
    CHECK(s.g.literals(factor_missing.id) == 2);
    CHECK(s.g.multiply(root, s.g.power(b, -1)) == s.g.multiply(s.g.power(b, -1), root)); // another number stays
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
