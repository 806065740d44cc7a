// SPDX-License-Identifier: BSL-1.0
//
// sum(F, over(t = times, y = counts), wrt(a, b)): the sum of F over the rows of a data set, with derivatives with
// respect to shared variables; mean, prod, max, min and log_sum_exp of rows in the same way.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/over.hpp>
#include <chainrule/batch/sums/reduction_over_data.hpp>

namespace chainrule {

namespace batches {

template <kind Kind, class F, class Data, class... Arguments>
[[nodiscard]] auto reduction(const F& f, const Data& data, const Arguments&... arguments) {
    constexpr bool of_data = is_data<Data>;
    static_assert(of_data, "sum: the second argument is not over(...); write sum(f, over(t = times), wrt(a))");
    if constexpr (!of_data || is_refused<F>) {
        return refused_reduction{};
    } else if constexpr (is_reduction<F>) {
        constexpr bool included = requires { over_components<F>::is_defined; };
        static_assert(included, "sum: the function of a row is a reduction over components; include "
                                "<chainrule/batch/sum_over_components.hpp>");
        if constexpr (included)
            return over_components<F>::template make<Kind>(f, data, arguments...);
        else
            return refused_reduction{};
    } else if constexpr (are_known(core::type_list<Arguments...>{})) {
        using columns = typename Data::variables;
        const auto row =
            make_row_function(f, shared_variables<Arguments...>{}, columns{}, detail::parameters_among(arguments...));
        const auto chosen = with_options(columns{}, options<>{}, arguments...);
        using row_type = std::remove_const_t<decltype(row)>;
        using chosen_options = std::remove_const_t<decltype(chosen)>;
        if constexpr (std::is_same_v<row_type, refused_row>) {
            return refused_reduction{};
        } else {
            constexpr bool one = int{row_type::expressions::size} == 1;
            static_assert(one, "sum: the function of a row has several values; use residuals(...), or one sum per "
                               "value");
            constexpr bool defined =
                chosen_options::weight < 0 || Kind == kind::sum || Kind == kind::mean || Kind == kind::log_sum_exp;
            static_assert(defined,
                          "prod, max, min: rows have weights, which products and maxima do not have; use mask(...), "
                          "or make them a part of the formula");
            if constexpr (one && defined)
                return reduction_over_data<Kind, row_type, Data, chosen_options>(row, data, chosen);
            else
                return refused_reduction{};
        }
    } else {
        return refused_reduction{};
    }
}

} // namespace batches

/// The sum of f over the rows of a data set, as a function of the variables in wrt(...): sum(f, over(t = times, y =
/// counts), wrt(a, b)). f is an expression, or code that takes the variables of over, wrt and given in this order.
/// Further arguments: given(k = 0.3), weights(u), mask(m), compensated, threads(n).
template <class F, class Data, class... Arguments>
[[nodiscard]] auto sum(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::sum>(f, data, arguments...);
}
/// The mean over the rows, weighted if there are weights. Throws bad_data when evaluated without rows.
template <class F, class Data, class... Arguments>
[[nodiscard]] auto mean(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::mean>(f, data, arguments...);
}
/// The product over the rows; 1 without rows. Derivatives are right where factors are 0.
template <class F, class Data, class... Arguments>
[[nodiscard]] auto prod(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::product>(f, data, arguments...);
}
/// The greatest value. Derivatives are the mean of those of the rows that have it. Throws bad_data when evaluated
/// without rows.
template <class F, class Data, class... Arguments>
requires batches::is_data<Data>
[[nodiscard]] auto max(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::maximum>(f, data, arguments...);
}
/// The least value, as max().
template <class F, class Data, class... Arguments>
requires batches::is_data<Data>
[[nodiscard]] auto min(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::minimum>(f, data, arguments...);
}
/// log(sum of exp(f)) without overflow; -inf without rows, where derivatives throw bad_data.
template <class F, class Data, class... Arguments>
[[nodiscard]] auto log_sum_exp(const F& f, const Data& data, const Arguments&... arguments) {
    return batches::reduction<batches::kind::log_sum_exp>(f, data, arguments...);
}
// Not the functions of two numbers with these names.
#define CHAINRULE_REFUSED(NAME, KIND)                                                                                  \
    template <class F, class... V>                                                                                     \
    [[nodiscard]] auto NAME(const F& f, const core::type_list<V...>& variables) {                                      \
        return batches::reduction<batches::kind::KIND>(f, variables);                                                  \
    }
CHAINRULE_REFUSED(max, maximum)
CHAINRULE_REFUSED(min, minimum)
CHAINRULE_REFUSED(log_sum_exp, log_sum_exp)
#undef CHAINRULE_REFUSED

} // namespace chainrule

#include <chainrule/core/names_end.inc>
