// SPDX-License-Identifier: BSL-1.0
//
// Random expressions as traced code, whose numbers record at run time as they do at compile time: the graph must be the
// one that lowering of the expression makes, node for node, and its program must give the value of the written
// operations, bit for bit.
#include "catch.hpp"

#include "random_expression.hpp"

#include <cstring>

namespace {

using namespace reference;
namespace tracing = chainrule::tracing;
using tracing::traced_number;

/// The expression with what traced code has: inputs instead of stored numbers, and constants that a double holds.
random_expression as_in_code(random_expression e) {
    const int variables = static_cast<int>(e.variables.size());
    e.variables.insert(e.variables.end(), e.numbers.begin(), e.numbers.end());
    e.numbers.clear();
    for (written& n : e.nodes) {
        if (n.what == graph::kind::stored_number) {
            n.what = graph::kind::variable;
            n.a += variables;
        } else if (n.what == graph::kind::constant && n.constant.exact()) {
            n.constant = tracing::exact_value(n.constant.as<double>(), 0);
        }
    }
    return e;
}

/// The row of the table with this position, called as in code.
traced_number called(unsigned position, const traced_number& a, const traced_number& b, const traced_number& c) {
    switch (position) {
#define UNARY(NAME, ...)                                                                                               \
    case functions::NAME::position: return NAME(a);
#define BINARY(NAME, ...)                                                                                              \
    case functions::NAME::position: return NAME(a, b);
#define TERNARY(NAME, ...)                                                                                             \
    case functions::NAME::position: return NAME(a, b, c);
        CHAINRULE_FUNCTIONS(UNARY, BINARY, TERNARY)
#undef UNARY
#undef BINARY
#undef TERNARY
    default: throw std::logic_error("a function is unknown");
    }
}

/// The expression as code that runs on traced numbers.
class traced_code {
public:
    tracing::recorder r;
    core::list<int> outputs;

    explicit traced_code(const random_expression& e) {
        const auto inputs = r.inputs(static_cast<int>(e.variables.size()));
        for (const written& n : e.nodes) {
            numbers_.emplace_back();
            conditions_.emplace_back();
            if (n.what == graph::kind::variable)
                numbers_.back() = inputs[n.a];
            else if (n.what == graph::kind::constant)
                numbers_.back() = n.constant.exact()
                                      ? traced_number(n.constant.as<double>())
                                      : traced_number(chainrule::irrational{n.constant.high, n.constant.low});
            else if (n.code >= relations::less::code)
                conditions_.back() = condition(n);
            else
                numbers_.back() = number(n);
        }
        for (const int output : e.outputs) outputs.push_back(at(output).in(r));
    }

private:
    std::vector<traced_number> numbers_;
    std::vector<tracing::condition<void>> conditions_;

    const traced_number& at(int i) const { return numbers_[static_cast<std::size_t>(i < 0 ? 0 : i)]; }
    const tracing::condition<void>& condition_at(int i) const { return conditions_[static_cast<std::size_t>(i)]; }
    // An operation on constants alone is computed and not recorded, so the first of them is given to the recorder.
    traced_number first_of(const written& n) {
        const bool recorded = at(n.a).owner() != nullptr || (n.b >= 0 && at(n.b).owner() != nullptr) ||
                              (n.c >= 0 && at(n.c).owner() != nullptr);
        return recorded ? at(n.a) : traced_number(r, at(n.a).in(r));
    }

    tracing::condition<void> condition(const written& n) {
        using graph::relation;
        const auto what = static_cast<relation>(n.code - relations::less::code);
        if (what == relation::negation) return !condition_at(n.a);
        if (what == relation::conjunction) return condition_at(n.a) && condition_at(n.b);
        if (what == relation::disjunction) return condition_at(n.a) || condition_at(n.b);
        const traced_number a = first_of(n), &b = at(n.b);
        switch (what) {
        case relation::less: return a < b;
        case relation::less_equal: return a <= b;
        case relation::greater: return a > b;
        case relation::greater_equal: return a >= b;
        case relation::equal: return a == b;
        default: return a != b;
        }
    }
    traced_number number(const written& n) {
        if (n.code == operations::select::code) return select(condition_at(n.a), at(n.b), at(n.c));
        const traced_number a = first_of(n), &b = at(n.b);
        switch (n.code) {
        case operations::negate::code: return -a;
        case operations::add::code: return a + b;
        case operations::subtract::code: return a - b;
        case operations::multiply::code: return a * b;
        case operations::divide::code: return a / b;
        default: return called(n.code, a, b, at(n.c));
        }
    }
};

/// A graph with the numbers of nodes that it has in a program: operands first, from left to right.
tracing::compaction<graph::graph_data> renumbered(const graph::canonical_graph& g, const core::list<int>& outputs,
                                                  std::size_t inputs) {
    return {tracing::saved_as<2048>(g, g.custom_functions, outputs, {}), static_cast<int>(inputs)};
}

bool same(const tracing::compaction<graph::graph_data>& a, const tracing::compaction<graph::graph_data>& b) {
    const auto equal = [](const auto& p, const auto& q, auto same_items) {
        return std::equal(p.begin(), p.end(), q.begin(), q.end(), same_items);
    };
    const auto as_items = [](const auto& u, const auto& v) { return u == v; };
    const auto as_nodes = [](const graph::node& u, const graph::node& v) {
        return u.what == v.what && u.function == v.function && u.a == v.a && u.b == v.b;
    };
    return equal(a.g.nodes, b.g.nodes, as_nodes) && equal(a.g.pool, b.g.pool, as_items) &&
           equal(a.g.coefficients.magnitudes, b.g.coefficients.magnitudes, as_items) &&
           equal(a.outputs, b.outputs, as_items) && equal(a.used, b.used, as_items);
}

} // namespace

TEST_CASE("random expressions as traced code make the graph of the expression") {
    int nodes = 0;
    for (unsigned long long seed = 1; seed <= 2000; ++seed) {
        const random_expression e = as_in_code({seed, 6 + static_cast<int>(seed % 50)});
        CAPTURE(seed, e.text());
        traced_code code(e);
        graph::canonical_graph lowered;
        for (std::size_t i = 0; i < e.variables.size(); ++i) (void)lowered.variable(static_cast<int>(i));
        core::list<int> outputs;
        for (const int output : e.lower(lowered)) outputs.push_back(output);
        const tracing::compaction<graph::graph_data> traced = renumbered(code.r.g, code.outputs, e.variables.size());
        CHECK(same(traced, renumbered(lowered, outputs, e.variables.size())));
        nodes += traced.g.nodes.size();

        core::list<graph::term> roots;
        for (const int output : code.outputs) roots.push_back({0, output});
        std::vector<double> at;
        for (const long double x : e.variables) at.push_back(static_cast<double>(x));
        const auto found = run(codegen::schedule(code.r.g, roots), at, {}, static_cast<int>(e.outputs.size()));
        const auto values = e.evaluate<double>(at, {});
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double expected = values[static_cast<std::size_t>(e.outputs[i])];
            CHECK((std::memcmp(&found[i], &expected, sizeof expected) == 0 ||
                   (found[i] != found[i] && expected != expected)));
        }
    }
    CHECK(nodes > 2000 * 20);
}
