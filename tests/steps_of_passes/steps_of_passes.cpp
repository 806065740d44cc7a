// SPDX-License-Identifier: BSL-1.0
//
// Each pass takes time in proportion to the operations: programs of many shapes with n and 4 n operations are derived
// and compiled at run time, and the blocks of code that run are counted. A pass that is quadratic in anything that
// grows there counts sixteen times as many. Constant evaluation runs the same code.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <string>
#include <vector>

namespace {
long long blocks = 0;
} // namespace

extern "C" __attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() { ++blocks; }

namespace {

namespace cr = chainrule;
namespace codegen = chainrule::codegen;
namespace functions = chainrule::functions;
using cr::graph::kind;
using cr::graph::relation;

constexpr unsigned sin_row = functions::sin::position, exp_row = functions::exp::position,
                   max_row = functions::max::position, hypot_row = functions::hypot::position;

/// A graph of values, with what shapes are made from.
struct values {
    codegen::compilation c{cr::differentiate::problem()};
    cr::graph::canonical_graph& g = c.derived.g;
    std::vector<int> x;

    int add(int a, int b) { return a < 0 ? b : g.binary(kind::add, a, b); } // from -1: no value yet
    int times(int a, int b) { return a < 0 ? b : g.binary(kind::multiply, a, b); }
    int number(int n) { return g.constant(cr::core::coefficient(n)); }
    int sin(int a) { return g.call(sin_row, a); }
    int exp(int a) { return g.call(exp_row, a); }
    int hypot(int a, int b) { return g.call(hypot_row, a, b); }
    int max(int a, int b) { return a < 0 ? b : g.call(max_row, a, b); }
    int less(int a, int b) { return g.condition(relation::less, a, b); }
};

struct shape {
    const char* name;
    bool one_input_each; // as many inputs as rounds, or four
    int (*round)(values&, int before, int i);
};
constexpr shape shapes[] = {
    {"a chain", false, [](values& v, int r, int i) { return v.times(v.sin(r < 0 ? v.x[0] : r), v.x[i % 4]); }},
    {"a sum of calls", false,
     [](values& v, int r, int i) {
         return v.add(r, v.sin(v.add(v.times(v.number(i + 2), v.x[i % 4]), v.x[(i + 1) % 4])));
     }},
    {"a sum of products", false,
     [](values& v, int r, int i) {
         return v.add(r, v.times(v.times(v.times(v.number(i + 1), v.x[i % 4]), v.x[i / 4 % 4]), v.x[i / 16 % 4]));
     }},
    {"a product of sums", false,
     [](values& v, int r, int i) { return v.times(r, v.add(v.x[i % 4], v.number(i + 2))); }},
    {"a product of inputs", true, [](values& v, int r, int i) { return v.times(r, v.x[static_cast<std::size_t>(i)]); }},
    {"a sum over inputs", true,
     [](values& v, int r, int i) {
         const int x = v.x[static_cast<std::size_t>(i)];
         return v.add(r, v.exp(v.times(x, x)));
     }},
    {"a linear function of products", false,
     [](values& v, int r, int i) { return v.add(r, v.times(v.add(v.x[i % 4], v.number(i + 2)), v.x[i / 4 % 4])); }},
    {"the greatest input", true, [](values& v, int r, int i) { return v.max(r, v.x[static_cast<std::size_t>(i)]); }},
    {"a sum of choices over inputs", true,
     [](values& v, int r, int i) {
         const int x = v.x[static_cast<std::size_t>(i)];
         return v.add(r, v.g.select(v.less(v.number(0), x), v.sin(x), v.times(x, x)));
     }},
    {"a sum of choices", false,
     [](values& v, int r, int i) {
         const int x = v.times(v.number(i + 2), v.x[0]);
         return v.add(r, v.g.select(v.less(v.number(i), v.x[1]), v.sin(x), v.x[1]));
     }},
    {"nested choices", false,
     [](values& v, int r, int i) {
         const int other = v.sin(v.times(v.x[0], v.number(i + 2)));
         return v.g.select(v.less(v.number(i + 2), v.x[1]), other, r < 0 ? v.x[0] : r);
     }},
    {"a chain of lengths", false,
     [](values& v, int r, int i) { return v.hypot(r < 0 ? v.x[0] : r, v.add(v.x[1], v.number(i + 2))); }},
    {"a sum of linear functions of neighbours", true,
     [](values& v, int r, int i) {
         const auto x = [&](int k) { return v.x[static_cast<std::size_t>(i > k ? i - k : 0)]; };
         int form = v.times(v.number(3), x(5));
         for (int k = 4; k >= 0; --k) form = v.add(form, v.times(v.number(i % 7 + k + 2), x(k)));
         return v.add(r, v.times(form, v.sin(form)));
     }},
    {"steps in time", false,
     [](values& v, int r, int i) {
         const int x = r < 0 ? v.x[0] : r;
         const int y = v.add(v.times(v.number(3), v.sin(v.times(v.x[1], x))), v.times(v.x[2], x));
         return v.add(x, v.times(v.number(i % 7 + 2), y));
     }},
};

/// Its derivatives are sums with many common factors.
constexpr shape product_of_sums_of_inputs = {
    "a product of sums of inputs", true, [](values& v, int r, int i) {
        return v.times(r, v.add(v.x[static_cast<std::size_t>(i)], v.x[static_cast<std::size_t>(i > 0 ? i - 1 : 0)]));
    }};

/// A function of that many rounds of a shape.
int root_of(values& v, const shape& s, int rounds) {
    for (int i = 0; i < (s.one_input_each ? rounds : 4); ++i) v.x.push_back(v.g.variable(i));
    int root = -1;
    for (int i = 0; i < rounds; ++i) root = s.round(v, root, i);
    return root;
}

/// The rounds with which a shape has about that many nodes.
int rounds_of(const shape& s, int nodes) {
    constexpr int some = 50;
    values v;
    (void)root_of(v, s, some);
    return nodes * some / v.g.size();
}

/// A function derived as far as one piece of that size goes.
void begin(values& v, const shape& s, int rounds, int node_budget) {
    const int root = root_of(v, s, rounds);
    cr::core::list<int> by;
    for (const int x : v.x) by.push_back(x);
    v.c.derived.variable_count = by.count;
    cr::core::list<cr::graph::term> roots;
    roots.push_back({0, root});
    cr::differentiate::derive_requested(v.c.derived, roots, by, cr::request::values | cr::request::jacobians,
                                        cr::jacobian_mode::reverse, node_budget);
}

/// The blocks that run for each pass; the derivation belongs to the first, which completes it.
std::vector<long long> blocks_of(const shape& s, int rounds) {
    values v;
    std::vector<long long> counts;
    long long before = blocks;
    const auto lap = [&] {
        counts.push_back(blocks - before);
        before = blocks;
    };
    begin(v, s, rounds, 1 << 30);
    for (int pass = 0; pass < codegen::pass_count; ++pass) {
        REQUIRE(codegen::run_passes(v.c, pass, pass + 1) == pass + 1);
        lap();
    }
    REQUIRE(v.c.made.body.size() > rounds);
    return counts;
}

} // namespace

TEST_CASE("each pass takes time in proportion to the operations", "[passes]") {
    constexpr int rounds = 500;
    for (const shape& s : shapes) {
        const std::vector<long long> few = blocks_of(s, rounds), many = blocks_of(s, 4 * rounds);
        for (std::size_t i = 0; i < few.size(); ++i) {
            INFO(s.name << ", " << codegen::passes[i].name << ": " << few[i] << " and " << many[i]);
            CHECK(many[i] < 5 * few[i] + 5000);
        }
    }
}

// Steps are limited in each constant evaluation, and each evaluation costs memory: so no piece of the work is too long,
// and most are not short. (The first product that a sweep meets may contain all others.)
TEST_CASE("derivatives of any shape are derived and compiled in pieces", "[passes]") {
    static constexpr int effort = 13000, visits = 10000; // as with clang
    static constexpr long long most_blocks = 600000;
    const auto check = [](const shape& s) {
        const int rounds = rounds_of(s, 10000);
        INFO(s.name << ", " << rounds << " rounds");
        values v;
        begin(v, s, rounds, 0);
        const long long begun = blocks;
        int pieces = 0;
        for (; v.c.derived.sweep.next >= 0; ++pieces) {
            const long long before = blocks;
            cr::differentiate::derive_further(v.c.derived, effort);
            INFO("piece " << pieces);
            CHECK(blocks - before < most_blocks);
        }
        CHECK(pieces > 4);
        CHECK(pieces < 4 + (blocks - begun) / (most_blocks / 5));
        for (int pass = 0; pass < codegen::pass_count; ++pass)
            for (bool done = false; !done;) {
                const long long before = blocks;
                done = codegen::run_passes(v.c, pass, pass + 1, codegen::piece{effort, visits}) > pass;
                INFO("a piece of " << codegen::passes[pass].name);
                CHECK(blocks - before < most_blocks);
            }
    };
    for (const shape& s : shapes) check(s);
    check(product_of_sums_of_inputs);
}
