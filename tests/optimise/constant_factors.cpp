// SPDX-License-Identifier: BSL-1.0
//
// The pass that places constant factors, and joins the reciprocals of relaxed values.
#include "../codegen/small_graph.hpp"

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
        return s.count(opcode::divide);
    };
    CHECK(divisions(second::by_both_and_one) == 1);
    CHECK(divisions(second::by_both_and_one, false) == 2);
    CHECK(divisions(second::by_one) == 2); // where u is 0, this output must stay finite
    CHECK(divisions(second::in_conditional) == 2);
    CHECK(divisions(second::feeds_divisor) == 2);
    CHECK(divisions(second::by_fifth_power) == 2); // five multiplications cost as much as a division
}
