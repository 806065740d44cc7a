// SPDX-License-Identifier: BSL-1.0
//
// sum(F, over(t = times, y = counts), wrt(a, b)): the sum of F over the rows of a data set, with derivatives with
// respect to shared variables; mean, prod, max, min and log_sum_exp of rows in the same way.
#pragma once

#include <chainrule/batch/data/point.hpp>
#include <chainrule/batch/sums/column_gradient.hpp>
#include <chainrule/entry/results.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainrule {

template <batches::kind Kind, class Row, class Data, class Options>
class reduction_over_data;

namespace batches {

/// Makes a sum of a reduction over components: batch/sum_over_components.hpp defines it.
template <class Reduction>
struct over_components;

template <class F>
inline constexpr bool is_reduction = false;
template <kind Kind, class Row, class Data, class Options>
inline constexpr bool is_reduction<reduction_over_data<Kind, Row, Data, Options>> = true;

} // namespace batches

/// A function of the shared variables, a sum over data for instance: see sum(). It refers to the data.
template <batches::kind Kind, class Row, class Data, class Options>
class reduction_over_data : Options {
    using kind = batches::kind;
    using variables = typename Row::wrt;
    static constexpr std::size_t columns = std::size_t{variables::size};
    static constexpr bool additive = Kind == kind::sum || Kind == kind::mean;
    static constexpr bool counted = Kind == kind::mean && (Options::weight >= 0 || Options::mask >= 0 ||
                                                           !Data::rows_known || Options::several_processes);
    using T = typename Data::number;
    using gradient_type = std::array<T, columns>;
    using matrix_type = std::array<gradient_type, columns>;

public:
    reduction_over_data(const Row& row, const Data& data, const Options& chosen)
        : Options(chosen), row_(row), data_(data) {}

    /// The value. The point is numbers, a range of numbers, or named: loss(0.5, 2.0), loss(w), loss(a = 0.5, b = 2.0).
    template <class... Point>
    [[nodiscard]] T operator()(const Point&... point) const {
        return outputs<request::values>(batches::shared_numbers<T>(row_, point...))[0];
    }

    /// The gradient with respect to the shared variables.
    template <class... Point>
    [[nodiscard]] gradient_type gradient(const Point&... point) const {
        const auto all = outputs<least(request::jacobians)>(batches::shared_numbers<T>(row_, point...));
        return copied<least(request::jacobians), request::jacobians>(all);
    }

    /// The value and the gradient, from one pass over the data.
    template <class... Point>
    [[nodiscard]] value_and_gradient_result<T, columns> value_and_gradient(const Point&... point) const {
        constexpr unsigned all_of_them = request::values | request::jacobians;
        const auto all = outputs<all_of_them>(batches::shared_numbers<T>(row_, point...));
        return {all[0], copied<all_of_them, request::jacobians>(all)};
    }

    /// The Hessian, both halves.
    template <class... Point>
    [[nodiscard]] matrix_type hessian(const Point&... point) const {
        return symmetric<least(request::hessians)>(
            outputs<least(request::hessians)>(batches::shared_numbers<T>(row_, point...)));
    }
    /// The lower triangle of the Hessian, row by row.
    template <class... Point>
    [[nodiscard]] auto lower_hessian(const Point&... point) const {
        const matrix_type full = hessian(point...);
        std::array<T, columns*(columns + 1) / 2> lower;
        std::size_t at = 0;
        for (std::size_t i = 0; i < columns; ++i)
            for (std::size_t j = 0; j <= i; ++j) lower[at++] = full[i][j];
        return lower;
    }

    /// The value, the gradient and the Hessian, from one pass over the data.
    template <class... Point>
    [[nodiscard]] second_order_result<T, columns> value_gradient_and_hessian(const Point&... point) const {
        constexpr unsigned all_of_them = request::values | request::jacobians | request::hessians;
        const auto all = outputs<all_of_them>(batches::shared_numbers<T>(row_, point...));
        return {all[0], copied<all_of_them, request::jacobians>(all), symmetric<all_of_them>(all)};
    }

    /// The Hessian times a direction. For sums and means the Hessian is not computed.
    template <class Point, class Direction>
    [[nodiscard]] gradient_type hvp(const Point& point, const Direction& direction) const {
        std::array<T, columns> along{};
        batches::read_point<typename Row::expressions>(variables{}, along, direction);
        if constexpr (additive) {
            auto shared = batches::shared_numbers<T, columns>(row_, point);
            for (std::size_t k = 0; k < columns; ++k) shared[Row::shared + k] = along[k];
            return copied<request::hessian_products, request::hessian_products>(
                outputs<request::hessian_products>(shared));
        } else {
            const matrix_type h = hessian(point);
            gradient_type product{};
            for (std::size_t i = 0; i < columns; ++i)
                for (std::size_t j = 0; j < columns; ++j) product[i] += h[i][j] * along[j];
            return product;
        }
    }

    /// Writes the derivatives with respect to the numbers of a column, one per row, and returns the value. The
    /// derivative for a masked row is 0.
    template <class V, class Range, class... Point>
    T value_and_column_gradient(V, Range&& to, const Point&... point) const {
        constexpr bool in_a_column = expressions::position_in<V>(typename Data::variables{}) >= 0;
        static_assert(in_a_column,
                      "value_and_column_gradient: the variable has no column; name one of over(...), or use "
                      "value_and_gradient(...)");
        static_assert(Data::rows_known,
                      "value_and_column_gradient: the data come in chunks, and results of single rows "
                      "have no place; write them chunk by chunk");
        constexpr bool in_processes = !Options::several_processes || Kind == kind::sum || Kind == kind::log_sum_exp;
        static_assert(in_processes, "value_and_column_gradient: the rows are those of several processes, and only sum "
                                    "and log_sum_exp take these; use one of them, or one process");
        constexpr bool right_type = std::same_as<std::remove_pointer_t<decltype(batches::address_of(to))>, T>;
        static_assert(right_type, "value_and_column_gradient: the results have another number type than the data and "
                                  "the point, or are const; give memory for numbers of their type");
        if constexpr (in_a_column && Data::rows_known && in_processes && right_type &&
                      Row::template complete<request::values>()) {
            batches::check_room("value_and_column_gradient", "rows", batches::size_of(to), data_.rows());
            T* const first = batches::address_for_results("value_and_column_gradient", to);
            batches::check_apart("value_and_column_gradient", data_, first, data_.rows());
            return batches::column_gradient<Kind, V>(row_, data_, static_cast<const Options&>(*this),
                                                     batches::shared_numbers<T>(row_, point...), first);
        } else {
            return {};
        }
    }

    /// Changes values bound by given(): loss.set(k = 0.4).
    template <class... Binding>
    void set(Binding... values) {
        row_.set(values...);
    }

private:
    Row row_;
    Data data_;

    friend struct batches::over_components<reduction_over_data>;

    // Sums compute the requested order only. Other reductions need the lower orders too.
    static constexpr unsigned least(unsigned asked) {
        return additive                     ? asked
               : asked == request::hessians ? request::values | request::jacobians | request::hessians
                                            : request::values | asked;
    }
    static constexpr std::size_t first_of(unsigned what, unsigned request) {
        return static_cast<std::size_t>(differentiate::first_output(what, request, 1, static_cast<int>(columns)));
    }

    template <unsigned Request, unsigned What, std::size_t Outputs>
    static gradient_type copied(const std::array<T, Outputs>& all) {
        gradient_type part;
        for (std::size_t k = 0; k < columns; ++k) part[k] = all[first_of(What, Request) + k];
        return part;
    }
    template <unsigned Request, std::size_t Outputs>
    static matrix_type symmetric(const std::array<T, Outputs>& all) {
        matrix_type full;
        std::size_t at = first_of(request::hessians, Request);
        for (std::size_t i = 0; i < columns; ++i)
            for (std::size_t j = i; j < columns; ++j) full[i][j] = full[j][i] = all[at++];
        return full;
    }

    /// What the rows reduce to, for the row function, or for another of the same variables.
    template <unsigned Request, kind As, bool Counted = counted, class RowFunction, std::size_t Shared>
    [[nodiscard]] auto reduced(const RowFunction& row, const std::array<T, Shared>& shared) const {
        constexpr std::size_t outputs = first_of(0, Request);
        constexpr std::size_t terms = outputs + (Counted ? 1 : 0);
        using reduction =
            batches::reduction_of<As, terms, columns, batches::order_of(Request), Options::is_compensated>;
        using chosen = std::conditional_t<Kind == kind::log_sum_exp && As == kind::sum,
                                          batches::of_exponentials<Options>, Options>;
        return batches::reduced_state<reduction, RowFunction, Request, batches::outputs_as_terms<outputs>, Counted>(
            row.f, data_, chosen{static_cast<const Options&>(*this)}, shared);
    }

    template <unsigned Request, std::size_t Shared>
    [[nodiscard]] std::array<T, first_of(0, Request)> outputs(const std::array<T, Shared>& shared) const {
        constexpr std::size_t count = first_of(0, Request);
        std::array<T, count> all{};
        if constexpr (Row::template complete<Request>()) {
            if constexpr (Kind == kind::log_sum_exp) {
                return of_exponentials<Request>(shared);
            } else if constexpr (Kind == kind::minimum) {
                const auto state = reduced<Request, Kind>(row_.with(batches::negated(row_.f)), shared);
                batches::require_rows(Kind, state[count] > T(0));
                for (std::size_t k = 0; k < count; ++k) all[k] = -state[k];
            } else {
                const auto state = reduced<Request, Kind>(row_, shared);
                if constexpr (Kind == kind::maximum) batches::require_rows(Kind, state[count] > T(0));
                std::copy_n(state.begin(), count, all.begin());
                if constexpr (Kind == kind::mean) {
                    const T total = counted ? state[counted ? count : 0] : static_cast<T>(data_.rows());
                    batches::require_rows(Kind, total != T(0));
                    for (T& each : all) each /= total;
                }
            }
        }
        return all;
    }

    // With the largest term taken out, exponentials do not overflow: log sum exp(f) = m + log sum exp(f - m).
    template <unsigned Request, std::size_t Shared>
    [[nodiscard]] std::array<T, first_of(0, Request)> of_exponentials(const std::array<T, Shared>& shared) const {
        const T greatest = reduced<request::values, kind::shift>(row_, shared)[0];
        if (batches::order_of(Request) > 0 && greatest == -std::numeric_limits<T>::infinity()) // of no row, perhaps
            batches::require_rows(Kind, batches::has_rows(row_, data_, static_cast<const Options&>(*this), shared));
        std::array<T, Shared + 1> shifted;
        std::copy_n(shared.begin(), Shared, shifted.begin());
        // An infinite or missing maximum cannot be taken out.
        const T shift = shifted[Shared] = greatest - greatest == T(0) ? greatest : T(0);
        auto all = reduced_alone<Request>(row_.with(batches::exponential(row_.f), batches::shift_variable{}), shifted);
        const T sum = all[0];
        all[0] = shift + std::log(sum);
        for (std::size_t k = 1; k < all.size(); ++k) all[k] /= sum;
        if constexpr (batches::order_of(Request) == 2)
            for (std::size_t i = 0, at = 1 + columns; i < columns; ++i)
                for (std::size_t j = i; j < columns; ++j) all[at++] -= all[1 + i] * all[1 + j];
        return all;
    }
    template <unsigned Request, class RowFunction, std::size_t Shared>
    [[nodiscard]] auto reduced_alone(const RowFunction& row, const std::array<T, Shared>& shared) const {
        const auto state = reduced<Request, kind::sum>(row, shared);
        std::array<T, first_of(0, Request)> all;
        std::copy_n(state.begin(), all.size(), all.begin());
        return all;
    }
};

} // namespace chainrule
