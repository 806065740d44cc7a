// SPDX-License-Identifier: BSL-1.0
//
// The arguments of a custom derivative formula at compile time: graph terms with arithmetic, the functions of the
// table, comparisons and select().
#pragma once

#include <chainrule/expression/exact.hpp>
#include <chainrule/graph/lower.hpp>
#include <chainrule/differentiate/partials.hpp>

namespace chainrule::detail {

/// Compilers print its name if a formula contains an infinity, a NaN or a similar number.
inline void a_formula_has_a_constant_that_is_no_finite_number() {}

/// A comparison in a formula: a condition of a graph, or of constants only, whose truth is known.
struct formula_condition {
    graph_condition value; // without a graph: id is whether it holds

    constexpr formula_condition(bool holds) : value{nullptr, holds} {}
    constexpr formula_condition(graph_condition c) : value(c) {}
    [[nodiscard]] constexpr bool known() const { return value.owner == nullptr; }
    [[nodiscard]] constexpr bool holds() const { return value.id != 0; }

    // A formula has no truth value to branch on, since there are no numbers at compile time.
    template <class T>
    requires(std::is_same_v<T, bool>)
    explicit constexpr operator T() const {
        static_assert(
            !std::is_same_v<T, bool>,
            "derivative: the derivative of a custom function branches on its arguments, which have no values at "
            "compile time; use select(x > 0, a, b)");
        return false;
    }
    friend constexpr formula_condition operator&&(formula_condition c, formula_condition d) {
        if (c.known()) return c.holds() ? d : c;
        if (d.known()) return d.holds() ? c : d;
        return c.value && d.value;
    }
    friend constexpr formula_condition operator||(formula_condition c, formula_condition d) {
        if (c.known()) return c.holds() ? c : d;
        if (d.known()) return d.holds() ? d : c;
        return c.value || d.value;
    }
    friend constexpr formula_condition operator!(formula_condition c) {
        if (c.known()) return !c.holds();
        return !c.value;
    }
};

/// A graph term, or a constant that is not in a graph yet.
class formula_term {
public:
    using has_functions_of_table = void;

    constexpr formula_term() = default;
    template <class N>
    requires std::is_arithmetic_v<N>
    constexpr formula_term(N number) {
        const exact_number known = exact_constant(number);
        if (!known.exact && number != N{}) a_formula_has_a_constant_that_is_no_finite_number();
        constant_ = known.value;
        // A number such as 0.1 remains a decimal instead of a fraction of 2^55.
        if constexpr (std::is_floating_point_v<N>)
            if (known.value.denominator > most_exact_denominator)
                constant_ = irrational{static_cast<double>(number),
                                       static_cast<double>(number - static_cast<N>(static_cast<double>(number)))};
    }
    constexpr formula_term(irrational number) : constant_(number) {}
    constexpr explicit formula_term(const coefficient& c) : constant_(c) {}
    constexpr formula_term(const graph_term& t) : owner_(t.owner), value_(t.value) {}

    /// As a term of a graph.
    [[nodiscard]] constexpr graph_term in(canonical_graph& g) const {
        return {g, owner_ == nullptr ? g.number(constant_) : value_};
    }

    friend constexpr formula_term operator+(const formula_term& a) { return a; }
    friend constexpr formula_term operator-(const formula_term& a) {
        if (a.owner_ == nullptr) return formula_term(-a.constant_);
        return -a.in(*a.owner_);
    }
    friend constexpr formula_term operator+(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = graph_of(a, b);
        return g == nullptr ? formula_term(a.constant_ + b.constant_) : formula_term(a.in(*g) + b.in(*g));
    }
    friend constexpr formula_term operator-(const formula_term& a, const formula_term& b) { return a + -b; }
    friend constexpr formula_term operator*(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = graph_of(a, b);
        return g == nullptr ? formula_term(a.constant_ * b.constant_) : formula_term(a.in(*g) * b.in(*g));
    }
    friend constexpr formula_term operator/(const formula_term& a, const formula_term& b) {
        canonical_graph* const g = graph_of(a, b);
        return g == nullptr ? formula_term(a.constant_ * b.constant_.reciprocal()) : formula_term(a.in(*g) / b.in(*g));
    }
    constexpr formula_term& operator+=(const formula_term& b) { return *this = *this + b; }
    constexpr formula_term& operator-=(const formula_term& b) { return *this = *this - b; }
    constexpr formula_term& operator*=(const formula_term& b) { return *this = *this * b; }
    constexpr formula_term& operator/=(const formula_term& b) { return *this = *this / b; }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr formula_condition operator SYMBOL(const formula_term& a, const formula_term& b) {                 \
        canonical_graph* const g = graph_of(a, b);                                                                     \
        if (g == nullptr) return a.constant_.as<double>() SYMBOL b.constant_.as<double>();                             \
        return a.in(*g)SYMBOL b.in(*g);                                                                                \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

    /// a if the condition holds, else b.
    friend constexpr formula_term select(const formula_condition& c, const formula_term& a, const formula_term& b) {
        if (c.known()) return c.holds() ? a : b;
        canonical_graph& g = *c.value.owner;
        return select(c.value, a.in(g), b.in(g));
    }
    friend constexpr formula_term like(const formula_term&, int n) { return formula_term(n); }

// Templates, so that no value from chainrule/special_functions.hpp is instantiated; their parameters are not deduced,
// so numbers and terms can be mixed.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class Term = formula_term>                                                                               \
    friend constexpr formula_term NAME(const std::type_identity_t<Term>& x) {                                          \
        if (x.owner_ == nullptr) return Term(evaluation::NAME(x.constant_.template as<double>()));                     \
        return called(functions::NAME::position, *x.owner_, x);                                                        \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class Term = formula_term>                                                                               \
    friend constexpr formula_term NAME(const std::type_identity_t<Term>& x, const std::type_identity_t<Term>& y) {     \
        canonical_graph* const g = graph_of(x, y);                                                                     \
        if (g == nullptr)                                                                                              \
            return Term(evaluation::NAME(x.constant_.template as<double>(), y.constant_.template as<double>()));       \
        return called(functions::NAME::position, *g, x, y);                                                            \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class Term = formula_term>                                                                               \
    friend constexpr formula_term NAME(const std::type_identity_t<Term>& x, const std::type_identity_t<Term>& y,       \
                                       const std::type_identity_t<Term>& z) {                                          \
        canonical_graph* const g = x.owner_ == nullptr ? graph_of(y, z) : x.owner_;                                    \
        if (g == nullptr)                                                                                              \
            return Term(evaluation::NAME(x.constant_.template as<double>(), y.constant_.template as<double>(),         \
                                         z.constant_.template as<double>()));                                          \
        return called(functions::NAME::position, *g, x, y, z);                                                         \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    /// The custom function F in a formula, its own or another's.
    template <class F, class... Rest>
    friend constexpr formula_term call_custom(F, const formula_term& x, const Rest&... rest) {
        canonical_graph* owner = x.owner_;
        ((owner = owner == nullptr ? formula_term(rest).owner_ : owner), ...);
        if (owner == nullptr) {
            return formula_term(
                F::value(x.constant_.template as<double>(), formula_term(rest).constant_.template as<double>()...));
        } else {
            return called(
                owner->custom_function_number(typename F::code_type{}, custom_formula_of<typename F::function>), *owner,
                x, formula_term(rest)...);
        }
    }

private:
    canonical_graph* owner_ = nullptr;
    term value_;
    coefficient constant_{0};

    static constexpr integer most_exact_denominator = 1 << 20;

    static constexpr canonical_graph* graph_of(const formula_term& a, const formula_term& b) {
        return a.owner_ == nullptr ? b.owner_ : a.owner_;
    }
    template <class... X>
    static constexpr formula_term called(unsigned function, canonical_graph& g, const X&... x) {
        // In sequence, so that the order of nodes is that of the formula.
        const int nodes[] = {g.node_of(x.in(g).value)..., -1, -1};
        if (function >= first_custom_function)
            return graph_term{g, {0, g.call(function, nodes[0], nodes[1], nodes[2])}};
        return graph_term{g, {0, apply_operation(g, function, nodes[0], nodes[1], nodes[2])}};
    }
};

} // namespace chainrule::detail
