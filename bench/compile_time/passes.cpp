// SPDX-License-Identifier: BSL-1.0
//
// The time of each pass of the compiler. The passes run here at run time, from the list that the compiler runs, on a
// sum of terms in more and more variables. Prints microseconds (the least of five runs) and the counts of nodes,
// products and instructions. Constant evaluation is some hundred times slower, in proportions that differ by compiler.
#include <chainrule/chainrule.hpp>

#include <chrono>
#include <cstdio>

namespace {

namespace codegen = chainrule::codegen;
namespace core = chainrule::core;
namespace differentiate = chainrule::differentiate;
namespace functions = chainrule::functions;
namespace graph = chainrule::graph;
using graph::kind;

using term_list = core::list<graph::term>;

/// The sum of sin(x y) exp(x) / (x + y) over neighbouring variables, with what a gradient starts from.
void lower(differentiate::problem& p, int variables, term_list& roots, core::list<int>& by) {
    graph::canonical_graph& g = p.g;
    for (int i = 0; i < variables; ++i) by.push_back(g.variable(i));
    p.variable_count = variables;
    int sum = -1;
    for (int i = 0; i < variables; ++i) {
        const int x = by[i], y = by[(i + 1) % variables];
        const int wave = g.call(functions::sin::position, g.binary(kind::multiply, x, y));
        const int product = g.binary(kind::multiply, wave, g.call(functions::exp::position, x));
        const int each = g.binary(kind::divide, product, g.binary(kind::add, x, y));
        sum = sum < 0 ? each : g.binary(kind::add, sum, each);
    }
    roots.push_back({0, sum});
}

double microseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void measure(int variables) {
    double least[codegen::pass_count + 1];
    for (double& t : least) t = 1e30;
    int nodes = 0, products = 0, instructions = 0;
    const auto keep = [](double& least_of, double time) { least_of = time < least_of ? time : least_of; };
    for (int run = 0; run < 5; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        differentiate::problem p;
        term_list roots;
        core::list<int> by;
        lower(p, variables, roots, by);
        differentiate::derive_requested(p, roots, by, chainrule::request::values | chainrule::request::jacobians,
                                        chainrule::jacobian_mode::reverse, 1 << 30);
        codegen::compilation c(static_cast<differentiate::problem&&>(p));
        keep(least[codegen::pass_count], microseconds_since(begin));
        for (int i = 0; i < codegen::pass_count; ++i) {
            const auto begin_of_pass = std::chrono::steady_clock::now();
            codegen::run_passes(c, i, i + 1);
            keep(least[i], microseconds_since(begin_of_pass));
        }
        nodes = c.derived.g.size();
        products = c.products.factored.size();
        instructions = c.made.body.size();
    }
    std::printf("%d variables: %d nodes, %d products, %d instructions\n", variables, nodes, products, instructions);
    std::printf("    %-24s%10.1f us\n", "lower, and derive", least[codegen::pass_count]);
    // What is left of deriving is to complete the graph: which products are values that are there anyway.
    for (int i = 0; i < codegen::pass_count; ++i)
        std::printf("    %-24s%10.1f us\n", i == 0 ? "complete the graph" : codegen::passes[i].name, least[i]);
}

} // namespace

int main() {
    for (const int variables : {10, 100, 1000}) measure(variables);
}
