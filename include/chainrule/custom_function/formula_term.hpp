// SPDX-License-Identifier: BSL-1.0
//
// The arguments of a custom derivative formula at compile time: graph terms with arithmetic, the functions of the
// table, comparisons and select().
#pragma once

#include <chainrule/expression/exact.hpp>
#include <chainrule/graph/term_algebra.hpp>
#include <chainrule/differentiate/partials.hpp>

#include <limits>

namespace chainrule::detail {

/// Compilers print its name if a formula contains an infinity, a NaN or a similar number.
inline void a_formula_has_a_constant_that_is_no_finite_number() {}

/// A graph term, or a constant that is not in a graph yet. Its functions are those of values: square(x) is x * x.
class formula_term : public graph::term_algebra<formula_term, graph_condition>,
                     public graph::functions_of_terms<formula_term> {
public:
    using graph_owner = canonical_graph;

    constexpr formula_term() = default;
    template <class N>
    requires std::is_arithmetic_v<N>
    constexpr formula_term(N number) {
        const exact_number known = exact_constant(number);
        if (!known.exact && number != N{}) a_formula_has_a_constant_that_is_no_finite_number();
        constant_ = known.value;
        // A number such as 0.1 remains a decimal instead of a fraction of 2^55.
        if constexpr (std::is_floating_point_v<N>)
            if (known.value.denominator > most_exact_denominator) constant_ = double_word::nearest(number);
    }
    constexpr formula_term(irrational number) : constant_(number) {}
    constexpr explicit formula_term(const coefficient& c) : constant_(c) {}
    constexpr formula_term(const graph_term& t) : owner_(t.owner()), value_(t) {}
    constexpr formula_term(canonical_graph& g, int node) : owner_(&g), value_(g, {0, node}) {}

    /// As a term of a graph, and its node.
    [[nodiscard]] constexpr graph_term graph_term_in(canonical_graph& g) const {
        return owner_ == nullptr ? graph_term(g, g.number(constant_)) : value_;
    }
    [[nodiscard]] constexpr term term_in(canonical_graph& g) const { return graph_term_in(g).term_in(g); }
    [[nodiscard]] constexpr int in(canonical_graph& g) const { return graph_term_in(g).in(g); }

    friend constexpr formula_term operator-(const formula_term& a) {
        if (a.owner_ == nullptr) return formula_term(-a.constant_);
        return -a.graph_term_in(*a.owner_);
    }
    friend constexpr formula_term operator+(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = owner_of(a, b);
        return g == nullptr ? formula_term(a.constant_ + b.constant_)
                            : formula_term(a.graph_term_in(*g) + b.graph_term_in(*g));
    }
    friend constexpr formula_term operator-(const formula_term& a, const formula_term& b) { return a + -b; }
    friend constexpr formula_term operator*(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = owner_of(a, b);
        return g == nullptr ? formula_term(a.constant_ * b.constant_)
                            : formula_term(a.graph_term_in(*g) * b.graph_term_in(*g));
    }
    friend constexpr formula_term operator/(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = owner_of(a, b);
        return g == nullptr ? formula_term(a.constant_ * reciprocal(b.constant_))
                            : formula_term(a.graph_term_in(*g) / b.graph_term_in(*g));
    }
    /// a if the condition holds, else b.
    [[nodiscard]] static constexpr formula_term chosen(const graph_condition& c, const formula_term& a,
                                                       const formula_term& b) {
        if (c.owner() == nullptr) return c.node() != 0 ? a : b;
        return select(c, a.graph_term_in(*c.owner()), b.graph_term_in(*c.owner()));
    }
    friend constexpr formula_term select(const graph_condition& c, const formula_term& a, const formula_term& b) {
        return chosen(c, a, b);
    }

    [[nodiscard]] static constexpr canonical_graph& graph_of(canonical_graph& g) { return g; }
    static constexpr bool in_traced_code = false;

private:
    [[nodiscard]] static constexpr coefficient reciprocal(const coefficient& c) {
        return c.is_zero() ? coefficient(double_word(std::numeric_limits<double>::infinity(), 0)) : c.reciprocal();
    }

    friend graph::term_algebra<formula_term, graph_condition>;

    canonical_graph* owner_ = nullptr;
    graph_term value_;
    coefficient constant_{0};

    static constexpr integer most_exact_denominator = 1 << 20;

    [[nodiscard]] constexpr double value() const { return constant_.as<double>(); }
    template <class Row, class... X>
    [[nodiscard]] static constexpr formula_term plain(const X&... x) {
        return Row::value(x.value()...);
    }
};

} // namespace chainrule::detail
