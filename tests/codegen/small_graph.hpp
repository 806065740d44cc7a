// SPDX-License-Identifier: BSL-1.0
//
// A small graph, on which the tests of single passes run these.
#pragma once

#include "../catch.hpp"

#include <chainrule/chainrule.hpp>

#include <string>
#include <vector>

namespace cr = chainrule;
namespace codegen = chainrule::codegen;
using codegen::opcode;
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
    std::vector<opcode> body() const {
        std::vector<opcode> found;
        for (const codegen::instruction& i : made.body) found.push_back(i.what);
        return found;
    }
    int count(opcode what) const {
        int n = 0;
        for (const codegen::instruction& i : made.body) n += i.what == what ? 1 : 0;
        return n;
    }
};
