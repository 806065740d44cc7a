// SPDX-License-Identifier: BSL-1.0
//
// The function of one row: expressions of shared variables (wrt), of the row's variables (over) and of parameters
// (given), and the programs that compute it with derivatives.
#pragma once

#include <chainrule/algebra/apply.hpp>
#include <chainrule/batch/rows/refused.hpp>
#include <chainrule/batch/rows/traced_row.hpp>

namespace chainrule {
namespace batches {

/// Failed conditions on a variable of a function of rows, named as in graph/variables.hpp.
template <expressions::string_literal Name>
struct the_variable_of_a_row {
    enum : bool { is_bound_by_over_wrt_or_given = false, is_bound_once = false, is_a_column = false };
};
template <class V>
using the_row_variable = the_variable_of_a_row<expressions::string_literal<sizeof(V::text)>(V::text)>;

template <class Wrt, class Columns, class Parameters, class... E>
struct row_function;
template <class... V, class... C, class... Bindings, class... E>
struct row_function<core::type_list<V...>, core::type_list<C...>, parameters<Bindings...>, E...> {
    using wrt = core::type_list<V...>;
    using expressions = core::type_list<E...>;
    using vector = expression_vector<E...>;
    using inputs = core::type_list<V..., C..., typename Bindings::variable...>;
    /// Shared numbers: the variables of wrt, then parameters.
    static constexpr std::size_t shared = sizeof...(V) + sizeof...(Bindings);
    template <unsigned Request>
    using code = codegen::compiled<Request, sizeof...(V), inputs, expressions>;

    /// Where an input is: in the row, or at -1 - k among the shared numbers.
    static constexpr std::ptrdiff_t place(std::size_t i) {
        constexpr auto first = static_cast<std::ptrdiff_t>(sizeof...(V)),
                       count = static_cast<std::ptrdiff_t>(sizeof...(C));
        const auto at = static_cast<std::ptrdiff_t>(i);
        return at < first ? -1 - at : at < first + count ? at - first : -1 - (at - count);
    }

    [[no_unique_address]] vector f;
    [[no_unique_address]] parameters<Bindings...> bound;

    /// Checks that compilers manage the program.
    template <unsigned Request>
    static consteval bool complete() {
        return codegen::small_enough<Request, sizeof...(V), inputs, expressions>();
    }

    template <class T, std::size_t Size>
    void copy_parameters(std::array<T, Size>& to) const {
        const auto values = bound.template as<T>();
        for (std::size_t k = 0; k < sizeof...(Bindings); ++k) to[sizeof...(V) + k] = values[k];
    }

    /// Changes parameters, as for positional functions.
    template <class... Given>
    void set(const Given&... values) {
        detail::set_parameters(bound, values...);
    }

    /// The same of another expression, with further shared inputs.
    template <class... G, class... Further>
    [[nodiscard]] auto with(const expression_vector<G...>& g, Further...) const {
        return row_function<wrt, core::type_list<C...>, parameters<Bindings..., binding<Further, double>...>, G...>{g,
                                                                                                                    {}};
    }
};

/// The function of a row, to be differentiated with respect to the variable of one column.
template <class X, class Row>
struct row_by_column {
    using vector = typename Row::vector;
    using others = decltype(chainrule::expressions::without(typename Row::inputs{}, core::type_list<X>{}));
    static constexpr std::ptrdiff_t column = chainrule::expressions::position_in<X>(typename Row::inputs{});
    template <unsigned Request>
    using code = codegen::compiled<Request, 1, decltype(core::type_list<X>{} + others{}), typename Row::expressions>;

    static constexpr std::ptrdiff_t place(std::size_t i) {
        if (i == 0) return Row::place(static_cast<std::size_t>(column));
        return Row::place(static_cast<std::ptrdiff_t>(i) <= column ? i - 1 : i);
    }
};

/// Checks that no variable is bound twice.
template <class... V>
consteval bool bound_once(core::type_list<V...>) {
    constexpr int repeated = expressions::first_repeated(core::type_list<V...>{});
    if constexpr (repeated >= 0) {
        using variable = the_row_variable<typename core::type_at<repeated, core::type_list<V...>>::type>;
        static_assert(variable::is_bound_once,
                      "sum, residuals, fits: a variable is in two of over(...), wrt(...) and given(...); keep it "
                      "in one");
    }
    return repeated < 0;
}

/// Checks that every variable of expressions is bound.
template <class Inputs, class... E>
consteval bool all_bound(std::type_identity<expression_vector<E...>>) {
    using variables = typename graph::variables_of<E...>::type;
    constexpr bool all = int{decltype(expressions::without(variables{}, Inputs{}))::size} == 0;
    if constexpr (!all) {
        using variable = the_row_variable<typename graph::first_outside<variables, Inputs>::type>;
        static_assert(variable::is_bound_by_over_wrt_or_given,
                      "sum, residuals, fits: the function of a row has a variable that nothing binds; bind it to a "
                      "column in over(...), list it in wrt(...), or give it a value in given(...)");
    }
    return all;
}
/// Whether all variables of a function are among those of a row.
template <class F, class Row>
inline constexpr bool is_named_by_row =
    int{decltype(expressions::without(typename F::variables_list{}, Row{}))::size} == 0;
// The inputs of traced code with other variables in place of the listed ones.
template <class Own, class... V, class... Input>
consteval auto renamed(core::type_list<V...>, core::type_list<Input...>) {
    return core::type_list<
        typename core::type_at<1 + expressions::position_in<Input>(Own{}), core::type_list<Input, V...>>::type...>{};
}
/// Whether the outputs of a function are traced code of its variables alone: expressions as they are, of any size.
template <class F>
inline constexpr bool is_code_of_its_variables =
    codegen::are_traced<typename F::outputs_list> && int{F::inputs_list::size} == int{F::variables_list::size};
/// A function made by function() as expressions of the variables of a row: its own, or else these in order, as of code.
/// Traced code only takes their names; other functions are substituted in.
template <class F, class... V>
[[nodiscard]] constexpr auto called_with_row(const F& f, core::type_list<V...>) {
    using own = typename F::variables_list;
    constexpr bool named = is_named_by_row<F, core::type_list<V...>>;
    if constexpr (named && is_code_of_its_variables<F>) {
        return detail::vector_of<typename F::outputs_list>{};
    } else if constexpr (named) {
        return f.expression();
    } else if constexpr (is_code_of_its_variables<F>) {
        return []<class... E>(core::type_list<E...>) {
            return expression_vector<typename traced_output<
                typename E::trace,
                expressions::short_list<decltype(renamed<own>(core::type_list<V...>{}, typename E::variables{}))>,
                int{E::position}>::node...>{};
        }(typename F::outputs_list{});
    } else {
        return f(V{}...);
    }
}

/// Whether a function has the variables of a row, or as many.
template <class F, class Row>
inline constexpr bool is_of_row = true;
template <class F, class Row>
requires detail::is_positional_function<F>
inline constexpr bool is_of_row<F, Row> = is_named_by_row<F, Row> || F::variables_list::size == Row::size;

/// The outputs of a function, an expression or code, as expressions of the variables of a row, listed in order.
template <class Row, class F>
[[nodiscard]] auto expressions_of_row(const F& f) {
    if constexpr (detail::is_positional_function<F>)
        return detail::outputs_of(called_with_row(f, Row{}));
    else if constexpr (detail::is_code<F>())
        return traced_row(f, Row{});
    else
        return detail::outputs_of(f);
}

template <class Wrt, class Columns, class... E, class... Bindings>
[[nodiscard]] auto bound_row(const expression_vector<E...>& all, const parameters<Bindings...>& bound) {
    return row_function<Wrt, Columns, parameters<Bindings...>, E...>{all, bound};
}

/// The function of a row from an expression, a vector of expressions, a function or code; after a message, refused_row.
template <class F, class Wrt, class Columns, class... Bindings>
[[nodiscard]] auto make_row_function(const F& f, Wrt, Columns, const parameters<Bindings...>& bound) {
    using given = core::type_list<typename Bindings::variable...>;
    using inputs = decltype(Wrt{} + Columns{} + given{});
    using in_order = decltype(Columns{} + Wrt{} + given{});
    constexpr bool fits = is_of_row<F, in_order>;
    static_assert(fits, "sum, residuals, fits: the variables of the function differ from those of over(...), wrt(...) "
                        "and given(...) in name and number; bind its own, or as many in its order");
    if constexpr (fits && bound_once(inputs{})) {
        const auto all = expressions_of_row<in_order>(f);
        if constexpr (all_bound<inputs>(std::type_identity<std::remove_const_t<decltype(all)>>{}))
            return bound_row<Wrt, Columns>(all, bound);
        else
            return refused_row{};
    } else {
        return refused_row{};
    }
}

} // namespace batches
} // namespace chainrule
