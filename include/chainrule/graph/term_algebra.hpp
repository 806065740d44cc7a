// SPDX-License-Identifier: BSL-1.0
//
// Terms as numbers, in code that runs at compile time: a node of a graph, or a plain number that is in no graph yet.
// Traced numbers (trace/number.hpp), and the arguments of the derivatives of the table (graph/graph_term.hpp) and of
// custom functions (custom_function/formula_term.hpp) take their conditions, comparisons and functions from here.
#pragma once

#include <chainrule/expression/operations.hpp>
#include <chainrule/graph/lower.hpp>

namespace chainrule::graph {

/// The result of comparing terms: a node of a graph, or a truth value where all that was compared are plain numbers.
/// (A template, so its functions are compiled where they are called.)
template <class Term>
class term_condition {
    using graph_owner = typename Term::graph_owner;

    // First: nvcc 13 compiles functions below while it instantiates the class, and would not know these yet.
    graph_owner* owner_ = nullptr;
    int node_ = 0;
    [[nodiscard]] constexpr term_condition combined(relation how, int other) const {
        return {*owner_, Term::graph_of(*owner_).condition(how, node_, other)};
    }

public:
    constexpr term_condition() = default;
    constexpr term_condition(bool holds) : node_(holds ? 1 : 0) {}
    constexpr term_condition(graph_owner& owner, int node) : owner_(&owner), node_(node) {}

    /// Null where all that was compared are plain numbers: node() then states whether the condition holds.
    [[nodiscard]] constexpr graph_owner* owner() const { return owner_; }
    [[nodiscard]] constexpr int node() const { return node_; }

    // Terms have no values at compile time: there is no truth value to branch on. (Implicit, for functions that return
    // bool. The sentences are here since a function of Term that held its own would be three lines of context.)
    template <class U>
    requires std::is_same_v<U, bool>
    constexpr operator U() const {
        constexpr bool known = sizeof(U) == 0;
        static_assert(known || !Term::in_traced_code,
                      "function: the traced code branches on a number, which has no value while the code is traced; "
                      "choose with select(x > 0, a, b), or use tape mode, which records the branch that is taken");
        static_assert(known || Term::in_traced_code,
                      "derivative: the derivative of a custom function branches on its arguments, which have no values "
                      "at compile time; use select(x > 0, a, b)");
        return false;
    }
    friend constexpr term_condition operator&&(const term_condition& c, const term_condition& d) {
        if (c.owner_ == nullptr) return c.node_ != 0 ? d : c;
        if (d.owner_ == nullptr) return d.node_ != 0 ? c : d;
        return c.combined(relation::conjunction, d.node_);
    }
    friend constexpr term_condition operator||(const term_condition& c, const term_condition& d) {
        if (c.owner_ == nullptr) return c.node_ != 0 ? c : d;
        if (d.owner_ == nullptr) return d.node_ != 0 ? d : c;
        return c.combined(relation::disjunction, d.node_);
    }
    // With a flag, as in `i > 0 && x > 0`: a better match than the built-in operator.
#define CHAINRULE_WITH_FLAG(SYMBOL)                                                                                    \
    template <class Flag>                                                                                              \
    requires std::is_integral_v<Flag>                                                                                  \
    friend constexpr term_condition operator SYMBOL(Flag flag, const term_condition& c) {                              \
        return term_condition(static_cast<bool>(flag)) SYMBOL c;                                                       \
    }                                                                                                                  \
    template <class Flag>                                                                                              \
    requires std::is_integral_v<Flag>                                                                                  \
    friend constexpr term_condition operator SYMBOL(const term_condition& c, Flag flag) {                              \
        return c SYMBOL term_condition(static_cast<bool>(flag));                                                       \
    }
    CHAINRULE_WITH_FLAG(&&)
    CHAINRULE_WITH_FLAG(||)
#undef CHAINRULE_WITH_FLAG
    friend constexpr term_condition operator!(const term_condition& c) {
        if (c.owner_ == nullptr) return c.node_ == 0;
        return c.combined(relation::negation, -1);
    }

    // As in 0 < x < 1.
#define CHAINRULE_ORDER(SYMBOL)                                                                                        \
    friend constexpr auto operator SYMBOL(const term_condition& c, const auto& x) {                                    \
        constexpr bool is_number = sizeof(x) == 0;                                                                     \
        static_assert(is_number, "0 < x < 1: a truth value is compared with a number; write 0 < x && x < 1");          \
        return c;                                                                                                      \
    }
    CHAINRULE_ORDER(<)
    CHAINRULE_ORDER(<=)
    CHAINRULE_ORDER(>)
    CHAINRULE_ORDER(>=)
#undef CHAINRULE_ORDER
};

/// The base class of a type of terms, whose comparisons give conditions. Term has
///   graph_owner, and graph_of(owner): the type that owns a graph, and that graph;
///   owner_, null without a graph, and a constructor from an owner and a node;
///   in(owner): its node in that graph, a new one for a plain number;
///   value(): the plain number as a double;
///   plain<Row>(terms...): the function of a row on plain numbers;
///   in_traced_code: whether the error of `if (x < y)` is of traced code, not of a custom derivative;
/// its own arithmetic, and its own called() where calls make other nodes than in values.
template <class Term, class Condition = term_condition<Term>, class Equality = Condition>
class term_algebra {
    template <relation What>
    using result_of = std::conditional_t<What == relation::equal || What == relation::not_equal, Equality, Condition>;

public:
    using has_functions_of_table = void;

    friend constexpr Term operator+(const Term& a) { return a; }
    friend constexpr Term& operator+=(Term& a, const Term& b) { return a = a + b; }
    friend constexpr Term& operator-=(Term& a, const Term& b) { return a = a - b; }
    friend constexpr Term& operator*=(Term& a, const Term& b) { return a = a * b; }
    friend constexpr Term& operator/=(Term& a, const Term& b) { return a = a / b; }
    friend constexpr Term& operator++(Term& a) { return a += 1; }
    friend constexpr Term& operator--(Term& a) { return a -= 1; }
    friend constexpr Term operator++(Term& a, int) {
        const Term before = a;
        a += 1;
        return before;
    }
    friend constexpr Term operator--(Term& a, int) {
        const Term before = a;
        a -= 1;
        return before;
    }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr result_of<relation::NAME> operator SYMBOL(const Term & a, const Term & b) {                       \
        auto* const owner = owner_of(a, b);                                                                            \
        if (owner == nullptr) return Condition(value_of(a) SYMBOL value_of(b));                                        \
        return compared(*owner, relation::NAME, a, b);                                                                 \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

    // As for expressions, in expression/conditional.hpp.
    friend constexpr Condition isnan(const Term& x) { return x != x; }
    friend constexpr Condition isfinite(const Term& x) { return tested_for_finiteness(relation::equal, x); }
    friend constexpr Condition isinf(const Term& x) {
        return Condition(x == x) && tested_for_finiteness(relation::not_equal, x);
    }

    friend constexpr Term like(const Term&, int n) { return Term(n); }

    /// The value of a function of the table or a custom function with the code of Row.
    template <class Row, class... X>
    [[nodiscard]] static constexpr Term called(const X&... x) {
        typename Term::graph_owner* owner = nullptr;
        ((owner = owner != nullptr ? owner : x.owner_), ...);
        if (owner == nullptr) return Term::template plain<Row>(x...);
        // In sequence, so that the order of nodes is that of the arguments.
        const int nodes[] = {x.in(*owner)..., -1, -1};
        return {*owner, apply_operation(Term::graph_of(*owner), Row::code, nodes[0], nodes[1], nodes[2])};
    }

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend constexpr Term NAME(const Term& x) { return Term::template called<functions::NAME>(x); }
#define CHAINRULE_BINARY(NAME, ...)
#define CHAINRULE_TERNARY(NAME, ...)
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
    friend constexpr Term hypot(const Term& x, const Term& y, const Term& z) {
        return Term::template called<functions::hypot3>(x, y, z);
    }

    /// The custom function F.
    template <class F, class... Rest>
    friend constexpr Term call_custom(F, const Term& x, const Rest&... rest) {
        return term_algebra::template called<custom_row_of<F>>(x, Term(rest)...);
    }

protected:
    [[nodiscard]] static constexpr auto* owner_of(const Term& a, const Term& b) {
        return a.owner_ != nullptr ? a.owner_ : b.owner_;
    }

private:
    [[nodiscard]] static constexpr double value_of(const Term& a) { return a.value(); }
    template <class Owner>
    [[nodiscard]] static constexpr Condition compared(Owner& owner, relation what, const Term& a, const Term& b) {
        const int left = a.in(owner), right = b.in(owner);
        if constexpr (Term::in_traced_code)
            if (owner.explains && owner.recurs(what, left, right)) unended_recursion(owner);
        return {owner, Term::graph_of(owner).condition(what, left, right)};
    }

    // Not x - x == x - x: some terms have sums whose equal terms vanish.
    [[nodiscard]] static constexpr Condition tested_for_finiteness(relation what, const Term& x) {
        if (x.owner_ == nullptr) {
            const double difference = value_of(x) - value_of(x);
            return Condition((difference == difference) == (what == relation::equal));
        }
        auto& owner = *x.owner_;
        return {owner, Term::graph_of(owner).finiteness(what, x.in(owner))};
    }

    template <class F>
    struct custom_row_of {
        enum : unsigned { arity = F::arity };
        static constexpr typename F::code_type code{};
        template <class... X>
        static constexpr auto value(const X&... x) {
            return F::value(x...);
        }
    };
};

/// The functions of several terms, for formulas of the table and of custom derivatives. (Numbers in code of the user
/// have templates: expression/number_functions.hpp.)
template <class Term>
class functions_of_terms {
#define CHAINRULE_UNARY(...)
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend constexpr Term NAME(const Term& x, const Term& y) { return Term::template called<functions::NAME>(x, y); }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend constexpr Term NAME(const Term& x, const Term& y, const Term& z) {                                          \
        return Term::template called<functions::NAME>(x, y, z);                                                        \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
};

} // namespace chainrule::graph
