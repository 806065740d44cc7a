// SPDX-License-Identifier: BSL-1.0
//
// The operations of a replay that are not functions of the table: arithmetic, choices and comparisons, as rows with
// values and derivatives like the table's own. A truth value is the number 1 or 0.
#pragma once

#include <chainrule/expression/operations.hpp>
#include <chainrule/tape/replay/formulas.hpp>

#include <type_traits>

namespace chainrule::tape::replays {

/// A constant that is a number of type N.
template <class N>
[[gnu::always_inline]] constexpr N constant_of(int n) {
    return N(static_cast<double>(n));
}

struct negate {
    enum : unsigned { arity = 1, code = operations::negate::code };
    static constexpr char name[] = "-";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a) {
        return -a;
    }
    template <int, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N&) {
        return constant_of<N>(-1);
    }
};
struct add {
    enum : unsigned { arity = 2, code = operations::add::code };
    static constexpr char name[] = "+";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {
        return a + b;
    }
    template <int, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N&, const N&) {
        return constant_of<N>(1);
    }
};
struct subtract {
    enum : unsigned { arity = 2, code = operations::subtract::code };
    static constexpr char name[] = "-";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {
        return a - b;
    }
    template <int K, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N&, const N&) {
        return constant_of<N>(K == 0 ? 1 : -1);
    }
};
struct multiply {
    enum : unsigned { arity = 2, code = operations::multiply::code };
    static constexpr char name[] = "*";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {
        return a * b;
    }
    template <int K, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N& a, const N& b, const N&) {
        return K == 0 ? b : a;
    }
};
struct divide {
    enum : unsigned { arity = 2, code = operations::divide::code };
    static constexpr char name[] = "/";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {
        return a / b;
    }
    template <int K, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N& b, const N& r) {
        if constexpr (K == 0)
            return constant_of<N>(1) / b;
        else
            return -(r / b);
    }
};

/// b where the truth value a is not 0, else c.
struct choose {
    enum : unsigned { arity = 3, code = operations::select::code };
    static constexpr char name[] = "select";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b, const N& c) {
        return by_lookup_of(a != constant_of<N>(0), b, c);
    }
    template <int K, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N& a, const N&, const N&, const N&) {
        const N one = constant_of<N>(1), none = constant_of<N>(0);
        if constexpr (K == 0)
            return none;
        else
            return by_lookup_of(a != none, K == 1 ? one : none, K == 1 ? none : one);
    }

    template <class C, class N>
    [[gnu::always_inline]] static constexpr N by_lookup_of(const C& c, const N& a, const N& b) {
        if constexpr (std::is_same_v<C, bool>)
            return c ? a : b;
        else
            return by_lookup::chosen(c, a, b);
    }
};

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    struct NAME {                                                                                                      \
        enum : unsigned { arity = 2, code = relations::NAME::code };                                                   \
        static constexpr char name[] = #SYMBOL;                                                                        \
        template <class N>                                                                                             \
        [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {                                      \
            return choose::by_lookup_of(a SYMBOL b, constant_of<N>(1), constant_of<N>(0));                             \
        }                                                                                                              \
        template <int, class N>                                                                                        \
        [[gnu::always_inline]] static constexpr N derivative(const N&, const N&, const N&) {                           \
            return constant_of<N>(0);                                                                                  \
        }                                                                                                              \
    };
CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

/// Truth values.
struct conjunction : multiply {
    enum : unsigned { code = relations::conjunction::code };
    static constexpr char name[] = "&&";
    template <int, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N&, const N&) {
        return constant_of<N>(0);
    }
};
struct disjunction : conjunction {
    enum : unsigned { code = relations::disjunction::code };
    static constexpr char name[] = "||";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a, const N& b) {
        return choose::value(a, a, b);
    }
};
struct negation : negate {
    enum : unsigned { code = relations::negation::code };
    static constexpr char name[] = "!";
    template <class N>
    [[gnu::always_inline]] static constexpr N value(const N& a) {
        return constant_of<N>(1) - a;
    }
    template <int, class N>
    [[gnu::always_inline]] static constexpr N derivative(const N&, const N&) {
        return constant_of<N>(0);
    }
};

/// The operation of a row in graphs (graph/lower.hpp); custom functions have none.
inline constexpr unsigned no_code = ~0u;
template <class Row>
inline constexpr unsigned code_of = no_code;
template <class Row>
requires(int{Row::code} >= 0)
inline constexpr unsigned code_of<Row> = Row::code;

template <class Row, class... Rows>
inline constexpr bool is_one_of = (false || ... || std::is_same_v<Row, Rows>);

/// Whether the result is a truth value, which has no derivative.
template <class Row>
inline constexpr bool is_truth =
    is_one_of<Row, less, less_equal, greater, greater_equal, equal, not_equal, conjunction, disjunction, negation>;

/// Whether SIMD lanes compute the bits of the scalar function.
template <class Row>
inline constexpr bool is_exact_in_lanes =
    is_truth<Row> ||
    is_one_of<Row, negate, add, subtract, multiply, divide, functions::sqrt, functions::square, functions::cube,
              functions::inverse, functions::abs, functions::fabs, functions::max, functions::min, functions::relu>;

} // namespace chainrule::tape::replays
