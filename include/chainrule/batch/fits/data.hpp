// SPDX-License-Identifier: BSL-1.0
//
// over_fits(t = times, y = counts): the data of many fits with the same number of points each. Row i of a matrix
// has the points of fit i; all fits share a range of numbers. batch/fits/fits.hpp fits.
#pragma once

#include <chainrule/batch/over.hpp>
#include <chainrule/batch/data/checks.hpp>
#include <chainrule/batch/data/tables.hpp>
#include <chainrule/core/for_each_index.hpp>

#include <cstddef>
#include <tuple>

namespace chainrule {

namespace batches {

/// In place of a count: all fits share the numbers, or a row is as long as those of others.
inline constexpr std::size_t every_fit = static_cast<std::size_t>(-1), as_others = every_fit;

/// The numbers of a variable at the points of all fits.
template <class Element>
struct fit_column {
    using number = Element;
    const Element* first;
    std::size_t fits;   // or every_fit
    std::size_t points; // or as_others, at most `stride`
    std::ptrdiff_t stride, between_points;
    std::size_t size = static_cast<std::size_t>(-1); // of the range, if it is known: its last row may be too short
};

template <class Element, layout Layout, bool Temporary>
[[nodiscard]] constexpr auto fit_column_of(const table_view<Element, Layout, Temporary>& view) {
    return fit_column<std::remove_const_t<Element>>{
        view.first,        view.points,          view.variables == 0 ? as_others : view.variables,
        view.point_stride, view.variable_stride, view.size};
}

/// What a variable of over_fits() is bound to.
template <class Bound>
[[nodiscard]] constexpr auto fit_column_of_bound([[maybe_unused]] const char* name, const Bound& bound) {
    [[maybe_unused]] constexpr bool lives = outlives_the_call<Bound>(); // the sentence is inside
    using range = typename range_behind<Bound>::type;
    if constexpr (is_table<range>) {
        return fit_column<std::remove_cvref_t<decltype(*bound.first)>>{bound.first, bound.rows, bound.columns,
                                                                       bound.stride, 1};
    } else if constexpr (is_table_view<range>) {
        return fit_column_of(bound);
    } else if constexpr (rank_of<range> == 2) {
        return fit_column_of(table_of_matrix(referenced_range(bound)));
    } else if constexpr (requires { std::tuple_size<element_in<range>>::value; }) {
        return fit_column_of(rows(referenced_range(bound)));
    } else {
        constexpr bool numbers = multidimensional<range> || requires(const range& r) {
            { *r.data() } -> std::convertible_to<double>;
        } || !requires(const range& r) { r.size(); };
        static_assert(numbers, "over_fits: the numbers of the data do not follow one another in memory, as those of a "
                               "range of ranges or of bools; copy them into one std::vector, as in y = rows(numbers, "
                               "14), and bools into unsigned chars");
        if constexpr (numbers) {
            const auto shared = source_of_column(name, bound);
            using number = std::remove_cvref_t<decltype(*shared.first)>;
            std::ptrdiff_t apart = 1;
            if constexpr (requires { shared.stride; }) apart = shared.stride;
            return fit_column<number>{shared.first, every_fit, shared.rows, 0, apart};
        } else {
            return fit_column<double>{}; // adds no errors
        }
    }
}

/// The data of fits: one column per variable.
template <class Variables, class... Column>
struct fit_data {
    using variables = Variables;
    static constexpr std::size_t columns = sizeof...(Column);
    /// float where all fractional numbers are floats, else double.
    using number = std::conditional_t<batches::are_floats<typename Column::number...>, float, double>;

    std::tuple<Column...> each;
    std::size_t fits;   // or every_fit, where all data are shared
    std::size_t points; // of a fit

    /// Copies the points of a fit: number c of point i to to[(i * columns + c) * apart].
    template <class T>
    void copy(std::size_t fit, T* to, std::size_t apart) const {
        std::apply(
            [&](const auto&... column) {
                const auto copy_one = [&](const auto& from, T* at) {
                    const auto* next = from.first + static_cast<std::ptrdiff_t>(fit) * from.stride;
                    for (std::size_t i = 0; i < points; ++i, next += from.between_points, at += columns * apart)
                        *at = static_cast<T>(*next);
                };
                std::size_t c = 0;
                core::for_each_argument([&](const auto& from) { copy_one(from, to + apart * c++); }, column...);
            },
            each);
    }
};

/// Refuses data of fits that do not fit together.
template <class... Column>
void check_fit_columns(const char* const* names, std::size_t& fits, std::size_t& points, const Column&... columns) {
    const std::size_t fits_of[] = {columns.fits...}, points_of[] = {columns.points...}, sizes[] = {columns.size...},
                      strides[] = {static_cast<std::size_t>(columns.stride < 0 ? -columns.stride : columns.stride)...};
    constexpr std::size_t count = sizeof...(Column);
    std::size_t first = count, known = count;
    for (std::size_t c = 0; c < count; ++c) {
        if (fits_of[c] == every_fit) continue;
        if (first == count) first = c;
        if (fits_of[c] != fits_of[first])
            raise(bad_data() << "over_fits: " << names[c] << " has data of " << fits_of[c] << " fits and "
                             << names[first] << " of " << fits_of[first] << "; bind rows for the same number of fits");
    }
    fits = first == count ? every_fit : fits_of[first];
    for (std::size_t c = 0; c < count; ++c) {
        if (points_of[c] == as_others) continue;
        if (known == count) known = c;
        if (points_of[c] != points_of[known])
            raise(bad_data() << "over_fits: a fit has " << points_of[c] << " points of " << names[c] << " and "
                             << points_of[known] << " of " << names[known] << "; bind as many of each");
    }
    points = known == count ? strides[0] : points_of[known];
    for (std::size_t c = 0; c < count; ++c)
        if (points_of[c] == as_others) {
            if (known == count && strides[c] < points) points = strides[c];
            if (strides[c] < points)
                raise(bad_data() << "over_fits: rows of " << names[c] << " are " << strides[c]
                                 << " numbers apart, and a fit has " << points << " points; pass the distance of rows");
            check_rows(fits_of[c], points, static_cast<std::ptrdiff_t>(strides[c]), sizes[c]);
        }
}

template <class T>
inline constexpr bool is_fit_data = false;
template <class Variables, class... Column>
inline constexpr bool is_fit_data<fit_data<Variables, Column...>> = true;

} // namespace batches

/// Binds variables to the data of many fits: over_fits(t = times, y = rows(counts, 14)). A matrix, a table or rows(...)
/// has one fit per row; a range of numbers belongs to all fits. The numbers are not copied. Throws bad_data if counts
/// of fits or points differ.
template <class... Argument>
[[nodiscard]] auto over_fits(const Argument&... columns) {
    constexpr bool single = !core::any_true({detail::is_vector_binding<Argument>..., false});
    static_assert(single, "over_fits: a vector of variables is given one range; name its elements, as in "
                          "over_fits(v[0_c] = xs, v[1_c] = ys)");
    constexpr bool some = sizeof...(Argument) > 0;
    constexpr bool bound = some && core::all_true({detail::is_binding<Argument>..., true});
    static_assert(!single || bound, "over_fits: an argument does not bind a variable to data; write "
                                    "over_fits(t = times, y = rows(counts, 14))");
    if constexpr (bound) {
        using variables = core::type_list<typename Argument::variable...>;
        constexpr bool once = expressions::each_once(variables{});
        static_assert(once, "over_fits: a variable is bound to two columns; bind each variable once");
        if constexpr (once) {
            const char* const names[] = {Argument::variable::text...};
            std::size_t fits = 0, points = 0;
            const auto check = [&](const auto&... column) {
                batches::check_fit_columns(names, fits, points, column...);
                return batches::fit_data<variables, std::remove_cvref_t<decltype(column)>...>{
                    {column...}, fits, points};
            };
            return check(
                batches::fit_column_of_bound(static_cast<const char*>(Argument::variable::text), columns.value)...);
        }
    }
}

} // namespace chainrule
