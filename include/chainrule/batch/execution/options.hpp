// SPDX-License-Identifier: BSL-1.0
//
// The further arguments of sum(), residuals() and others, in any order: weights(u), mask(m), compensated, threads(n).
#pragma once

#include <chainrule/batch/execution/blocks.hpp>
#include <chainrule/batch/execution/executors.hpp>
#include <chainrule/batch/execution/processes.hpp>
#include <chainrule/batch/rows/row_function.hpp>

namespace chainrule {

namespace batches {

template <class V>
struct weight_variable {};
template <class V>
struct mask_variable {};
struct compensation {};

template <class T>
inline constexpr bool is_weight = false;
template <class V>
inline constexpr bool is_weight<weight_variable<V>> = true;
template <class T>
inline constexpr bool is_mask = false;
template <class V>
inline constexpr bool is_mask<mask_variable<V>> = true;
/// Whether an argument is an option.
template <class T>
inline constexpr bool is_option =
    is_weight<T> || is_mask<T> || is_executor<T> || is_processes<T> || std::is_same_v<T, compensation>;

template <template <class> class Role, class Columns, class V>
consteval int place_of_column(Role<V>, Columns columns) {
    if constexpr (std::is_void_v<V>) {
        return -1; // weights() and mask() have said so
    } else {
        constexpr int place = expressions::position_in<V>(columns);
        static_assert(the_row_variable<V>::is_a_column || place >= 0,
                      "weights, mask: the variable has no column; bind it in over(...), as in over(x = xs, u = us)");
        return place;
    }
}
/// Checks that weights or a mask are named by a variable.
template <class V>
consteval bool names_a_column() {
    constexpr bool variable = expressions::variable_node<V>;
    static_assert(variable, "weights, mask: the argument is not a variable; bind the column to one, as in over(x = xs, "
                            "u = us), and write weights(u)");
    return variable;
}

/// The options of a reduction: places of columns, or -1, who computes, and whose rows there are. (Compilers leave out
/// defaults where they print a type.)
template <int Weight = -1, int Mask = -1, bool Compensated = false, class Executor = one_thread,
          class Processes = one_process>
struct options {
    static constexpr int weight = Weight, mask = Mask;
    static constexpr bool is_compensated = Compensated;
    static constexpr bool several_processes = Processes::several;
    [[no_unique_address]] Executor executor;
    [[no_unique_address]] Processes processes;
};

/// The variables in wrt(...) among some arguments.
template <class A>
struct shared_in {
    using type = core::type_list<>;
};
template <class... V>
struct shared_in<core::type_list<V...>> {
    using type = core::type_list<V...>;
};
template <class... Arguments>
using shared_variables = typename core::joined_lists<typename shared_in<Arguments>::type...>::type;
template <class... Arguments>
consteval bool are_known(core::type_list<Arguments...>) {
    constexpr bool known = core::all_true(
        {(is_option<Arguments> || detail::is_parameters<Arguments> || core::is_type_list<Arguments>)..., true});
    static_assert(known, "sum, residuals, fits: an argument is not one of wrt(...), given(...), weights(u), "
                         "mask(m), compensated and threads(n); write sum(f, over(x = xs), wrt(a, b), given(k = 0.3))");
    return known;
}

// Adds the options among some arguments to those before. (Each reduction calls this and make_row_function itself: a
// function that did both would be three more lines of context in their messages.)
template <class Columns, int W, int M, bool C, class X, class P>
[[nodiscard]] constexpr auto with_options(Columns, const options<W, M, C, X, P>& all) {
    return all;
}
template <class Columns, int W, int M, bool C, class X, class P, class First, class... Rest>
[[nodiscard]] constexpr auto with_options(Columns columns, const options<W, M, C, X, P>& all, const First& first,
                                          const Rest&... rest) {
    if constexpr (is_weight<First>) {
        constexpr int weight = place_of_column(First{}, Columns{});
        return with_options(columns, options<weight, M, C, X, P>{all.executor, all.processes}, rest...);
    } else if constexpr (is_mask<First>) {
        constexpr int mask = place_of_column(First{}, Columns{});
        return with_options(columns, options<W, mask, C, X, P>{all.executor, all.processes}, rest...);
    } else if constexpr (std::is_same_v<First, compensation>) {
        return with_options(columns, options<W, M, true, X, P>{all.executor, all.processes}, rest...);
    } else if constexpr (is_executor<First>) {
        using executor = typename executor_of<First>::type;
        return with_options(columns, options<W, M, C, executor, P>{executor(first), all.processes}, rest...);
    } else if constexpr (is_processes<First>) {
        return with_options(columns, options<W, M, C, X, First>{all.executor, first}, rest...);
    } else {
        return with_options(columns, all, rest...);
    }
}

} // namespace batches

/// Multiplies the terms of each row by a column: sum(F, over(x = xs, u = us), wrt(w), weights(u)).
template <class V>
[[nodiscard]] constexpr auto weights(const V&) {
    return batches::weight_variable<std::conditional_t<batches::names_a_column<V>(), V, void>>{};
}
/// Leaves out the rows in which a column is 0 or false, whatever their other numbers are.
template <class V>
[[nodiscard]] constexpr auto mask(const V&) {
    return batches::mask_variable<std::conditional_t<batches::names_a_column<V>(), V, void>>{};
}
/// Adds with compensation: the error does not grow with the number of rows.
inline constexpr batches::compensation compensated{};

} // namespace chainrule
