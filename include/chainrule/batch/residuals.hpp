// SPDX-License-Identifier: BSL-1.0
//
// residuals(r, over(t = times, y = counts), wrt(a, b)): residuals of all rows, for least squares: the Gauss-Newton
// matrix J^T J with J^T r, its product with a direction, and the Jacobian as dense rows or in the format CSR.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/sum.hpp>
#include <chainrule/codegen/pattern.hpp>

namespace chainrule {

/// Half the sum of squared residuals, its gradient J^T r, and J^T J, which is its Hessian without second derivatives of
/// residuals.
template <class T, std::size_t Size>
struct gauss_newton_result {
    T value;                                      ///< half the sum of squares
    std::array<T, Size> gradient;                 ///< J^T r
    std::array<std::array<T, Size>, Size> matrix; ///< J^T J, both halves
};

/// Residuals of rows: see residuals(). It refers to the data.
template <class Row, class Data, class Options>
class residuals_over_data : Options {
    using variables = typename Row::wrt;
    static constexpr std::size_t columns = std::size_t{variables::size}, per_row = std::size_t{Row::expressions::size};
    static constexpr unsigned values_and_jacobians = request::values | request::jacobians;
    using T = typename Data::number;
    using gradient_type = std::array<T, columns>;

public:
    /// The type of the data, and of the residuals.
    using number = T;

    residuals_over_data(const Row& row, const Data& data, const Options& chosen)
        : Options(chosen), row_(row), data_(data) {}

    /// The number of variables in wrt(...).
    static constexpr std::size_t variable_count = columns;

    /// The number of residuals: those of the first row, then those of the second, and so on.
    [[nodiscard]] std::size_t count() const { return data_.rows() * per_row; }

    /// Half the sum of the squared residuals.
    template <class... Point>
    [[nodiscard]] T half_squares(const Point&... point) const {
        return reduced<request::values, batches::squares<per_row, 0>>(batches::shared_numbers<T>(row_, point...))[0];
    }

    /// The value and the gradient of half the sum of squares, and J^T J, from one pass over the data.
    template <class... Point>
    [[nodiscard]] gauss_newton_result<T, columns> gauss_newton(const Point&... point) const {
        const auto all = reduced<values_and_jacobians, batches::squares<per_row, columns>>(
            batches::shared_numbers<T>(row_, point...));
        gauss_newton_result<T, columns> result;
        result.value = all[0];
        std::copy_n(all.begin() + 1, columns, result.gradient.begin());
        for (std::size_t i = 0, at = 1 + columns; i < columns; ++i)
            for (std::size_t j = i; j < columns; ++j) result.matrix[i][j] = result.matrix[j][i] = all[at++];
        return result;
    }

    /// J^T J times a direction, without J^T J.
    template <class Point, class Direction>
    [[nodiscard]] gradient_type gauss_newton_product(const Point& point, const Direction& direction) const {
        auto shared = batches::shared_numbers<T, columns>(row_, point);
        gradient_type along{};
        batches::read_point<typename Row::expressions>(variables{}, along, direction);
        std::copy_n(along.begin(), columns, shared.begin() + Row::shared);
        const auto all = reduced < request::jacobians | request::tangents, batches::squares_along < per_row,
                   columns >> (shared);
        gradient_type product;
        std::copy_n(all.begin(), columns, product.begin());
        return product;
    }

    /// Writes the residuals. Weights and masks do not change them.
    template <class Point, class Values>
    void values(const Point& point, Values&& to) const {
        T* const first = room_for<per_row, per_row>("values", "residuals", to);
        write<request::values, per_row>(point, [&](std::size_t row, std::size_t width, const auto* output) {
            write_column(first + row * per_row, per_row, width, output, per_row);
        });
    }

    /// Writes the Jacobian, row by row: one row per residual, one column per variable.
    template <class Point, class Entries>
    void jacobian(const Point& point, Entries&& to) const {
        constexpr std::size_t entries = per_row * columns;
        T* const first = room_for<entries, columns>("jacobian", "entries", to);
        write<request::jacobians, entries>(point, [&](std::size_t row, std::size_t width, const auto* output) {
            write_column(first + row * entries, entries, width, output, entries);
        });
    }

    /// The number of entries of the Jacobian that are not zero everywhere.
    [[nodiscard]] std::size_t sparse_entries() const { return data_.rows() * pattern::entries; }

    /// Writes where the entries are, in the format CSR: for each residual the number of its first entry, and one more;
    /// for each entry its column.
    template <class Starts, class Columns>
    void sparse_structure(Starts&& starts, Columns&& places) const {
        batches::check_room("sparse_structure", "row starts", batches::size_of(starts), count() + 1);
        batches::check_room("sparse_structure", "columns", batches::size_of(places), sparse_entries());
        auto* start = batches::address_for_results("sparse_structure", starts);
        auto* place = batches::address_for_results("sparse_structure", places);
        using index = std::remove_reference_t<decltype(*start)>;
        using column_index = std::remove_reference_t<decltype(*place)>;
        std::size_t entry = 0;
        for (std::size_t row = 0; row < data_.rows(); ++row)
            for (std::size_t r = 0; r < per_row; ++r) {
                *start++ = static_cast<index>(entry);
                for (int k = pattern::value.row_starts[r]; k < pattern::value.row_starts[r + 1]; ++k, ++entry)
                    *place++ = static_cast<column_index>(pattern::value.columns[static_cast<std::size_t>(k)]);
            }
        *start = static_cast<index>(entry);
    }
    /// Writes the entries, in the order of sparse_structure().
    template <class Point, class Entries>
    void sparse_jacobian(const Point& point, Entries&& to) const {
        constexpr std::size_t entries = pattern::entries;
        T* const first = room_for<entries>("sparse_jacobian", "entries", to);
        write<request::jacobians | request::without_zeros, entries>(
            point, [&](std::size_t row, std::size_t width, const auto* output) {
                write_column(first + row * entries, entries, width, output, entries);
            });
    }

    /// Changes values bound by given(): r.set(k = 0.4).
    template <class... Binding>
    void set(Binding... values) {
        row_.set(values...);
    }

private:
    using pattern =
        codegen::jacobian_pattern<static_cast<int>(columns), typename Row::inputs, typename Row::expressions>;
    Row row_;
    Data data_;

    template <unsigned Request, class Form, std::size_t Shared>
    [[nodiscard]] auto reduced(const std::array<T, Shared>& shared) const {
        using reduction = batches::reduction_of<batches::kind::sum, Form::terms, columns, 0, Options::is_compensated>;
        if constexpr (Row::template complete<Request>())
            return batches::reduced_state<reduction, Row, Request, Form, false>(
                row_.f, data_, static_cast<const Options&>(*this), shared);
        else
            return std::array<T, reduction::size>{};
    }

    // The address of memory for so many numbers of each row of the data, in a matrix so many in each of its rows.
    template <std::size_t PerRow, std::size_t Columns = 1, class Numbers>
    [[nodiscard]] T* room_for(const char* call, const char* what, Numbers& to) const {
        const std::size_t needed = data_.rows() * PerRow;
        batches::check_room(call, what, batches::size_of(to), needed);
        T* const first = batches::address_for_results(call, to, Columns);
        if constexpr (Data::rows_known) batches::check_apart(call, data_, first, needed);
        return first;
    }

    // Hands the outputs of all rows to `to`, in lanes.
    template <unsigned Request, std::size_t Outputs, class Point, class To>
    void write(const Point& point, const To& to) const {
        using L = batches::widest<T>;
        static_assert(Data::rows_known, "residuals: the data come in chunks, and results of single rows have no place; "
                                        "write them chunk by chunk, or use gauss_newton(...)");
        if constexpr (Data::rows_known && Row::template complete<Request>()) {
            const auto shared = batches::shared_numbers<T>(row_, point);
            const batches::row_terms<Row, Request, Row::shared, Data, batches::outputs_as_terms<Outputs>,
                                     batches::row_roles{}, T>
                rows{data_, row_.f, shared};
            const auto in_lanes = rows.template prepared<L>();
            for (std::size_t row = 0; row < data_.rows(); row += batches::lane_count<L>) {
                const std::size_t left = data_.rows() - row;
                const std::size_t width = left < batches::lane_count<L> ? left : batches::lane_count<L>;
                L output[Outputs < 1 ? 1 : Outputs];
                in_lanes.compute(output, row, width);
                to(row, width, output);
            }
        }
    }
    template <class L>
    static void write_column(T* to, std::size_t stride, std::size_t width, const L* output, std::size_t outputs) {
        for (std::size_t k = 0; k < outputs; ++k) {
            T lanes[batches::lane_count<L>];
            batches::store(output[k], lanes);
            for (std::size_t lane = 0; lane < width; ++lane) to[lane * stride + k] = lanes[lane];
        }
    }
};

/// The residuals of all rows as a function of the variables in wrt(...): residuals(y - a * exp(-b * t), over(t = times,
/// y = counts), wrt(a, b)). r is an expression, a vector of expressions, or code, as for sum(), and so are further
/// arguments.
template <class R, class Data, class... Arguments>
[[nodiscard]] auto residuals(const R& r, const Data& data, const Arguments&... arguments) {
    constexpr bool of_data = batches::is_data<Data>;
    static_assert(of_data,
                  "residuals: the second argument is not over(...); write residuals(r, over(t = times), wrt(a))");
    if constexpr (of_data && !batches::is_refused<R> && batches::are_known(core::type_list<Arguments...>{})) {
        using columns = typename Data::variables;
        const auto row = batches::make_row_function(r, batches::shared_variables<Arguments...>{}, columns{},
                                                    detail::parameters_among(arguments...));
        const auto chosen = batches::with_options(columns{}, batches::options<>{}, arguments...);
        using row_type = std::remove_const_t<decltype(row)>;
        if constexpr (std::is_same_v<row_type, batches::refused_row>)
            return batches::refused_reduction{};
        else
            return residuals_over_data<row_type, Data, std::remove_const_t<decltype(chosen)>>(row, data, chosen);
    } else {
        return batches::refused_reduction{};
    }
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
