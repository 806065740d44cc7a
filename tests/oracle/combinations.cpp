// SPDX-License-Identifier: BSL-1.0
//
// Compositions f(g(3 x + 1)) of two functions, with their first and second derivatives. They are derived and scheduled
// as at compile time, but at run time, since there are thousands. Here a sample; the target oracle_all computes and
// checks all of them, with the table in the file that CHAINRULE_ORACLE_COMBINATIONS names.
#include "catch.hpp"

#include "running_error.hpp"

#include <chainrule/special_functions.hpp>

#include <map>

namespace {

namespace core = chainrule::core;
namespace graph = chainrule::graph;
namespace differentiate = chainrule::differentiate;
namespace codegen = chainrule::codegen;
namespace operations = chainrule::operations;
using reference::tracked;

unsigned position_of(const std::string& name) {
    for (std::size_t i = 0; i < reference::table.size(); ++i)
        if (reference::table[i].name == name) return static_cast<unsigned>(i);
    throw std::runtime_error("oracle: the table has no function " + name + "; run tests/oracle/generate.py again");
}

/// A function as the table names it, NAME or NAME:K:CONSTANT..., of a node.
int call(graph::canonical_graph& g, const std::string& text, int argument, std::vector<double>& numbers) {
    std::istringstream parts(text);
    std::string name, part;
    std::getline(parts, name, ':');
    const int varies = std::getline(parts, part, ':') ? std::stoi(part) : 0;
    const unsigned position = position_of(name);
    int arguments[3] = {-1, -1, -1};
    for (int i = 0; i < static_cast<int>(reference::table[position].arity); ++i) {
        arguments[i] = argument;
        if (i == varies) continue;
        std::getline(parts, part, ':');
        numbers.push_back(std::stod(part));
        arguments[i] = g.stored_number(static_cast<int>(numbers.size()) - 1);
    }
    return graph::apply_operation(g, position, arguments[0], arguments[1], arguments[2]);
}

/// The program for value, first and second derivative.
codegen::code compile(const oracle::line& l, std::vector<double>& numbers) {
    graph::canonical_graph g;
    core::list<int> by;
    by.push_back(g.variable(0));
    const int product = graph::apply_operation(g, operations::multiply::code, g.constant(3), by[0]);
    const int u = graph::apply_operation(g, operations::add::code, product, g.constant(1));
    const int root = call(g, l.names[0], call(g, l.names[1], u, numbers), numbers);
    core::list<graph::term> outputs, first;
    outputs.push_back({0, root});
    differentiate::adjoint_sweep sweep(g, by);
    sweep.run({0, root}, first);
    outputs.push_back(first[0]);
    sweep.run(first[0], outputs);
    return codegen::schedule(g, outputs);
}

} // namespace

TEST_CASE("combinations of functions agree with 30 digits", "[oracle]") {
    const char* const other = std::getenv("CHAINRULE_ORACLE_COMBINATIONS");
    long checked = 0, within_four = 0;
    for (const oracle::line& l : oracle::read(other != nullptr ? other : CHAINRULE_ORACLE_FOLDER "/combinations.txt")) {
        std::vector<double> numbers;
        const codegen::code code = compile(l, numbers);
        const auto found = reference::run<double>(code, {static_cast<double>(l.numbers[0])}, numbers, 3);
        const auto bounds = reference::run<tracked>(code, {tracked(l.numbers[0], -std::abs(l.numbers[0]))},
                                                    std::vector<tracked>(numbers.begin(), numbers.end()), 3);
        for (std::size_t k = 0; k < 3; ++k) {
            // The inner function's own error, of up to two units, counts as its condition number says.
            const bool by_condition = k == 1 && !oracle::cancels(l.names[0]) && !oracle::cancels(l.names[1]);
            const double bound = by_condition ? static_cast<double>(4 + l.numbers[4] + 2 * l.numbers[5])
                                              : oracle::running_error(bounds[k]);
            const double error = oracle::units(found[k], l.numbers[k + 1]);
            ++checked;
            within_four += error <= 4 ? 1 : 0;
            if (error <= bound) continue;
            FAIL_CHECK(l.names[0] << "(" << l.names[1] << "(3 x + 1)), order " << k << ", at " << l.numbers[0] << ": "
                                  << found[k] << " is " << error << " units off, where " << bound << " are explained");
        }
    }
    WARN(checked << " numbers, " << within_four << " of them within 4 units in the last place");
    CHECK(checked > 5000);
}
