// SPDX-License-Identifier: BSL-1.0
//
// The list of passes, how it is cut into evaluations, the schedule and the order of instructions. The other passes are
// tested in graph/ and optimise/, each on a small graph, so that a failure names its pass. That all of them together
// keep values and derivatives right is for property/fuzz.cpp to see.
#include "small_graph.hpp"

#include <list>

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

namespace {

using saved = codegen::saved_state<1 << 16>;

/// The first piece of the derivatives of functions of `operations` random operations: one function, or two where the
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
    CHECK(s.count(opcode::sine_cosine) == 1);
    CHECK(s.count(opcode::call) == 0);
    CHECK(s.count(opcode::multiply_add) == 1);
    CHECK(s.count(opcode::divide) == 1);
    CHECK(s.count(opcode::output) == 5);
    CHECK(s.made.calls_end == 3); // the argument, the sine and the cosine
}

TEST_CASE("the order of registers ends the life of a number as soon as it can", "[passes]") {
    // Depth first, x * y waits for its negative until the first output is computed.
    small s;
    const int p = s.times(s.a, s.b), q = s.times(p, s.a);
    s.output(s.times(q, s.plus(q, s.b)));
    s.output(s.g.negate(p));
    s.run_to("schedule");
    const std::vector<opcode> depth_first = s.body();
    s.run_to("order");
    const std::vector<opcode> ordered = s.body();
    CHECK(ordered.size() == depth_first.size());
    CHECK(ordered != depth_first);
    const auto place = [](const std::vector<opcode>& body, opcode what) {
        std::size_t i = 0;
        while (body[i] != what) ++i;
        return i;
    };
    CHECK(place(ordered, opcode::negate) < place(depth_first, opcode::negate));
}
