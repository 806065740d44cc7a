// SPDX-License-Identifier: BSL-1.0
//
// fits(r, over_fits(t = times, y = counts), wrt(a, b)): many least-squares problems of one form. batch/fits/solver.hpp
// solves them.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/data/arguments.hpp>
#include <chainrule/batch/fits/data.hpp>
#include <chainrule/batch/fits/results.hpp>
#include <chainrule/batch/fits/solver.hpp>
#include <chainrule/batch/residuals.hpp>
#include <chainrule/batch/roots/solve_options.hpp>

#include <array>
#include <vector>

namespace chainrule {

namespace batches {

/// The start of each fit: numbers for all, or columns.
template <class T, std::size_t Size>
struct fit_starts {
    const T* first[Size];
    std::ptrdiff_t stride[Size];
    T common[Size];
    std::size_t fits = every_fit; // where all are common
    [[nodiscard]] T number(std::size_t j, std::size_t fit) const {
        return first[j] == nullptr ? common[j] : first[j][static_cast<std::ptrdiff_t>(fit) * stride[j]];
    }
};
template <class T, class... V, class List>
[[nodiscard]] auto starts_of(core::type_list<V...>, const List& list) {
    constexpr std::size_t size = sizeof...(V);
    using from = std::remove_const_t<typename List::number>;
    fit_starts<T, size> all{};
    constexpr bool right = [] {
        std::size_t i = 0;
        return List::count == size && core::all_true({place_in<List, V>(i++, size) != not_given..., true});
    }();
    static_assert(right,
                  "fits: the start must have one number or column per variable in wrt(...); pass a std::array, or "
                  "columns(...) in order or by name");
    constexpr bool one_type = all_common<List> || std::is_same_v<from, T>;
    static_assert(one_type, "fits: the start and the data hold numbers of different types; give both one type, float "
                            "or double");
    if constexpr (right && one_type) {
        const char* const names[] = {V::text...};
        const char* named = nullptr;
        std::size_t i = 0;
        const std::size_t places[] = {place_in<List, V>(i++, size)...};
        for (std::size_t j = 0; j < size; ++j) {
            const std::size_t at = places[j];
            all.common[j] = static_cast<T>(list.common[at]);
            if (List::layouts[at] == layout::common) continue;
            if constexpr (!all_common<List>) {
                all.first[j] = list.first[at];
                all.stride[j] = list.stride[at];
                if (named != nullptr && list.size[at] != all.fits)
                    raise(bad_data() << "fits: the starts of " << names[j] << " are " << list.size[at]
                                     << " and those of " << named << " are " << all.fits
                                     << "; give columns of equal length");
                named = names[j];
                all.fits = list.size[at];
            }
        }
    }
    return all;
}

} // namespace batches

/// Many least-squares fits: see fits(). It refers to the data.
template <class Row, class Data, class Options>
class fits_over_data : Options {
    using variables = typename Row::wrt;
    using T = typename Data::number;
    static constexpr std::size_t size = std::size_t{variables::size};

public:
    fits_over_data(const Row& row, const Data& data, const Options& chosen) : Options(chosen), row_(row), data_(data) {}

    /// Fits by the method of Levenberg and Marquardt. The start is a std::array for all fits, or columns(...) with one
    /// number per fit, in the order of wrt(...) or by name, or numbers and columns. If all data are shared, there are
    /// as many fits as starts. A fit that fails influences no other. Further arguments, in any order: fit_options,
    /// with_covariance, report(f).
    template <class Start, class... Further>
    [[nodiscard]] fit_results<T, size> levenberg_marquardt(const Start& start, const Further&... further) const {
        constexpr bool start_first = !batches::is_fit_option<Start>;
        static_assert(start_first, "fits: the first argument of levenberg_marquardt is an option instead of the start; "
                                   "write levenberg_marquardt(std::array{5.0, 0.5}, with_covariance)");
        constexpr bool known = !start_first || (true && ... && batches::is_fit_option<Further>);
        static_assert(known, "fits: an argument of levenberg_marquardt is not one of fit_options, with_covariance "
                             "and report(f); threads(n) and weights(u) are arguments of fits(...)");
        constexpr bool covariances = (false || ... || std::is_same_v<Further, batches::covariances>);
        constexpr unsigned wanted = request::values | request::jacobians;
        if constexpr (start_first && known && Row::template complete<wanted>()) {
            const auto starts = batches::starts_of<T>(variables{}, batches::as_set<size>(start));
            using batches::every_fit;
            if (data_.fits != every_fit && starts.fits != every_fit && data_.fits != starts.fits)
                core::raise(bad_data() << "fits: there are data of " << data_.fits << " fits and " << starts.fits
                                       << " starts; give as many starts as fits");
            const std::size_t own_data = data_.fits != every_fit ? data_.fits : starts.fits;
            const std::size_t fits = own_data != every_fit ? own_data : 1;
            fit_results<T, size> results(fits, covariances);
            std::array<T, Row::shared> shared{};
            row_.copy_parameters(shared);
            using solver = batches::fitting<Row, Data, Options, batches::fit_starts<T, size>, T>;
            batches::deal(static_cast<const Options&>(*this).executor, fits, 64, 1024,
                          batches::report_among(further...), [&](std::size_t first, std::size_t end) {
                              std::vector<T> memory(solver::memory(data_));
                              solver(row_, data_, starts, shared,
                                     batches::option_or<fit_options>(fit_options{}, further...), memory.data(), results,
                                     covariances)
                                  .solve(first, end);
                          });
            return results;
        } else {
            return fit_results<T, size>(0, false);
        }
    }

    /// Changes values bound by given(): f.set(k = 0.4).
    template <class... Binding>
    void set(Binding... values) {
        row_.set(values...);
    }

private:
    Row row_;
    Data data_;
};

/// Many fits of one form, each with data of its own: fits(y - a * exp(-b * t), over_fits(t = times, y = rows(counts,
/// 14)), wrt(a, b)). The first argument is the residual of one point: an expression, a vector of expressions, or code,
/// as for residuals(). Further arguments: given(k = 0.3), weights(u), which multiply squares, mask(m), threads(n).
/// Example: `const auto found = fits(...).levenberg_marquardt(std::array{5.0, 0.5}); found(i, 0);`
template <class R, class Data, class... Arguments>
[[nodiscard]] auto fits(const R& r, const Data& data, const Arguments&... arguments) {
    constexpr bool of_data = batches::is_fit_data<Data>;
    static_assert(of_data, "fits: the second argument is not over_fits(...); write fits(r, over_fits(t = times, "
                           "y = rows(counts, 14)), wrt(a, b))");
    if constexpr (of_data && !batches::is_refused<R> && batches::are_known(core::type_list<Arguments...>{})) {
        using columns = typename Data::variables;
        const auto row = batches::make_row_function(r, batches::shared_variables<Arguments...>{}, columns{},
                                                    detail::parameters_among(arguments...));
        const auto chosen = batches::with_options(columns{}, batches::options<>{}, arguments...);
        using row_type = std::remove_const_t<decltype(row)>;
        using chosen_options = std::remove_const_t<decltype(chosen)>;
        static_assert(!chosen_options::several_processes, "fits: the argument ranks(...) is for sums; fits do not "
                                                          "depend on each other, so give each rank its own");
        if constexpr (std::is_same_v<row_type, batches::refused_row>)
            return batches::refused_reduction{};
        else
            return fits_over_data<row_type, Data, chosen_options>(row, data, chosen);
    } else {
        return batches::refused_reduction{};
    }
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
