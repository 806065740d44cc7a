// SPDX-License-Identifier: BSL-1.0
//
// over(t = times, y = counts): which column gives each variable its numbers, checked for lengths. sum.hpp,
// residuals.hpp and others compute with the rows.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/data/source_of_data.hpp>
#include <chainrule/entry/named_values.hpp>
#include <chainrule/expression/operators.hpp>
#include <chainrule/expression/vector.hpp>

namespace chainrule {

namespace batches {

/// What over() makes of one argument.
template <class Argument>
struct bound_columns {
    static constexpr bool valid = false;
};
template <class V, class Bound>
struct bound_columns<binding<V, Bound>> {
    static constexpr bool valid = true;
    using variables = core::type_list<V>;
    static constexpr auto source(const binding<V, Bound>& bound) {
        return batches::source_of_column(static_cast<const char*>(V::text), bound.value);
    }
    static constexpr const char* name = V::text;
};
template <char... Name>
struct bound_columns<bound_double<Name...>> : bound_columns<typename bound_double<Name...>::binding_type> {};
template <class Elements, class Bound, std::size_t Columns>
requires detail::is_vector_binding<vector_binding<Elements, binding<void, Bound>, Columns>>
struct bound_columns<vector_binding<Elements, binding<void, Bound>, Columns>> {
    static constexpr bool valid = true;
    using variables = expressions::long_list<Elements>;
    static constexpr const char* name = core::type_at<0, variables>::type::text;
    static constexpr auto source(const vector_binding<Elements, binding<void, Bound>, Columns>& bound) {
        return batches::source_of_columns<std::size_t{variables::size}>(name, bound.bound.value);
    }
};

/// Refuses columns of different lengths.
inline void check_lengths(const char* name, std::size_t rows, const char* other, std::size_t other_rows) {
    if (rows == other_rows) return;
    core::raise(bad_data() << "over: the column of " << name << " has " << rows << " rows and that of " << other
                           << " has " << other_rows << "; bind columns of equal length");
}

template <class... Argument, std::size_t... I, class... Source>
[[nodiscard]] auto data_of(std::index_sequence<I...>, Source... source) {
    const char* const names[] = {bound_columns<Argument>::name...};
    const std::size_t rows[] = {source.rows...};
    for (std::size_t i = 1; i < sizeof...(Source); ++i) check_lengths(names[i], rows[i], names[0], rows[0]);
    using variables = typename core::joined_lists<typename bound_columns<Argument>::variables...>::type;
    return data_set<variables, Source...>{{{source}...}};
}

} // namespace batches

/// Binds variables to columns of equal length, one number per row: over(t = times, y = counts). A vector of variables
/// is bound to rows or columns: over(x = features). The numbers are not copied: they must outlive what is made of them.
/// Throws bad_data if lengths differ.
template <class... Argument>
[[nodiscard]] auto over(const Argument&... columns) {
    constexpr bool some = sizeof...(Argument) > 0;
    static_assert(some, "over: there is no column; bind each variable of the data, as in over(t = times, y = counts)");
    constexpr bool bound = core::all_true({batches::bound_columns<Argument>::valid..., true});
    static_assert(bound, "over: an argument does not bind a variable to a column; write over(t = times, y = counts)");
    if constexpr (some && bound) {
        using variables = typename core::joined_lists<typename batches::bound_columns<Argument>::variables...>::type;
        constexpr bool once = expressions::each_once(variables{});
        static_assert(once, "over: a variable is bound to two columns; bind each variable once");
        if constexpr (once)
            return batches::data_of<Argument...>(std::index_sequence_for<Argument...>{},
                                                 batches::bound_columns<Argument>::source(columns)...);
    }
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
