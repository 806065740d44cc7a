// SPDX-License-Identifier: BSL-1.0
//
// The passes that share products and pairs of factors, each on a small graph.
#include "../codegen/small_graph.hpp"

TEST_CASE("products are what a value equals anyway, or have it as a factor", "[passes]") {
    small s;
    const int value = s.times(s.a, s.b);
    s.output(value);
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(s.g.call(cr::functions::exp::position, s.a))));
    s.run_to("products");
    const int id = s.derived.outputs[1].id;
    REQUIRE(s.products.factors_of[id] >= 0);
    const cr::optimise::factored_product p = s.products.factored[s.products.factors_of[id]];
    REQUIRE(p.count == 2); // the value, and the exponential
    CHECK(s.products.literals[p.first] == 2 * value);
}

TEST_CASE("a stored number times a variable is a factor only where it is computed apart", "[passes]") {
    enum class use { added, called, selected, output, intermediate };
    const auto factors = [](use other, bool swapped) {
        small s;
        const int number = s.g.stored_number(0);
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
        return s.products.factored[s.products.factors_of[longer.id]].count;
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
        return s.count(opcode::divide);
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
        return s.count(opcode::divide);
    };
    CHECK(divisions(true) == 1);
    CHECK(divisions(false) == 2);
}

TEST_CASE("a pair of factors that several products have becomes a product of its own", "[passes]") {
    small s;
    const int c = s.g.variable(2), d = s.g.variable(3);
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(c)));
    s.output(s.g.multiply(s.product(s.a, s.b), s.g.canonical(d)));
    s.run_to("constant factors");
    const int before = s.products.factored.size();
    CHECK(before == 2);
    s.run_to("pairs");
    CHECK(s.products.factored.size() == before + 1);
    for (const cr::optimise::factored_product& p : s.products.factored) CHECK(p.count == 2);
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
    const int products = s.products.factored.size();
    CHECK(codegen::passes[pairs].run(s, {}));
    CHECK(s.products.factored.size() == products);
}
