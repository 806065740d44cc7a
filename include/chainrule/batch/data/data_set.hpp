// SPDX-License-Identifier: BSL-1.0
//
// Columns of equal length and the variables that they give numbers, as over(...) makes them: the data of sums,
// residuals and repeated steps.
#pragma once

#include <chainrule/batch/data/source_of_data.hpp>
#include <chainrule/expression/operators.hpp>

namespace chainrule {

namespace batches {

/// A source and its place in a data set.
template <std::size_t Place, class Source>
struct placed {
    Source source;
};
template <class Indices, class... Source>
struct placed_sources;
template <std::size_t... I, class... Source>
struct placed_sources<std::index_sequence<I...>, Source...> : placed<I, Source>... {
    static constexpr std::size_t columns = core::sum_of({Source::columns..., std::size_t{0}});

    [[nodiscard]] std::size_t rows() const {
        const std::size_t of_each[] = {static_cast<const placed<I, Source>&>(*this).source.rows...};
        return of_each[0];
    }

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        [[maybe_unused]] const int loaded[] = {
            (static_cast<const placed<I, Source>&>(*this).source.load(to, row, count), to += Source::columns, 0)...};
    }
};

} // namespace batches

/// Columns of equal length and the variables that they give numbers: see over().
template <class Variables, class... Source>
struct data_set : batches::placed_sources<std::index_sequence_for<Source...>, Source...> {
    /// The variables, in the order of the columns.
    using variables = Variables;
    static constexpr bool rows_known = true;
    /// float where all fractional numbers are floats, else double.
    using number = std::conditional_t<batches::are_floats<typename Source::number...>, float, double>;
};

/// max(f, data) is not the greater of two operands.
template <class Variables, class... Source>
inline constexpr bool expressions::has_own_operators<data_set<Variables, Source...>> = true;

namespace batches {

template <class T>
inline constexpr bool is_data = false;
template <class Variables, class... Source>
inline constexpr bool is_data<data_set<Variables, Source...>> = true;

} // namespace batches

} // namespace chainrule
