// SPDX-License-Identifier: BSL-1.0
//
// The Taylor coefficients of a recorded function along a direction, of any order.
#pragma once

#include <chainrule/tape/replay/recorded_sparse.hpp>

namespace chainrule::tape::replays {

/// The calls of a recorded function for Taylor coefficients.
template <class T, class F, class Values>
class taylor_runs : public sparse_runs<T, F, Values> {
    using runs = sparse_runs<T, F, Values>;

protected:
    using runs::inputs;
    using runs::memory_;
    using runs::one;
    using runs::outputs;
    using runs::run;
    using runs::runs;

public:
    /// The coefficients of t^0 to t^Order of the value at the point plus t times the direction, an array; of several
    /// values a row each, in the layout of a Jacobian. Example: `r.taylor<4>(x, direction)`
    template <int Order, points::list_of_numbers X, points::list_of_numbers D>
    [[nodiscard]] auto taylor(const X& x, const D& direction) {
        static_assert(Order >= 0, "taylor<n>: the order is negative; pass 0 or more");
        using row = std::array<T, static_cast<std::size_t>(Order < 0 ? 0 : Order) + 1>;
        run_series(x, direction, std::tuple_size_v<row>);
        const auto coefficient = [this](std::size_t i, std::size_t k) { return memory_.coefficient(i, k); };
        if constexpr (one) {
            row result;
            for (std::size_t k = 0; k < result.size(); ++k) result[k] = coefficient(0, k);
            return result;
        } else {
            using type = points::matrix_of<Values, row, T>;
            return points::matrix_made<type, T>(outputs(), std::tuple_size_v<row>, coefficient);
        }
    }
    /// The same up to an order that is known when the program runs: a std::vector, of several values a matrix<T> with a
    /// row each.
    template <points::list_of_numbers X, points::list_of_numbers D>
    [[nodiscard]] auto taylor(const X& x, const D& direction, int order) {
        if (order < 0)
            core::raise(std::invalid_argument("taylor: the order is " + std::to_string(order) + "; pass 0 or more"));
        const auto count = static_cast<std::size_t>(order) + 1;
        if constexpr (one) {
            std::vector<T> result(count);
            taylor(x, direction, std::span<T>(result));
            return result;
        } else {
            run_series(x, direction, count);
            return points::matrix_made<matrix<T>, T>(
                outputs(), count, [this](std::size_t i, std::size_t k) { return memory_.coefficient(i, k); });
        }
    }
    /// The same into memory of the caller, row by row: as many for each value as there is room for.
    template <points::list_of_numbers X, points::list_of_numbers D>
    void taylor(const X& x, const D& direction, memory_of<T> to) {
        points::check_direction("taylor", x, direction);
        run(x);
        if (outputs() == 0 && to.empty()) return;
        const std::size_t count = to.size() / std::max<std::size_t>(outputs(), 1);
        if (count == 0 || count * outputs() != to.size())
            core::raise(std::invalid_argument("taylor: the recording has " + std::to_string(outputs()) +
                                              " values and room for " + std::to_string(to.size()) +
                                              " coefficients is given; give room for as many of each value"));
        to.check_shape("taylor", outputs(), count);
        run_series_at_point(direction, count);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = memory_.coefficient(i / count, i % count);
    }

private:
    template <class X, class D>
    void run_series(const X& x, const D& direction, std::size_t count) {
        points::check_direction("taylor", x, direction);
        run(x);
        run_series_at_point(direction, count);
    }
    template <class D>
    void run_series_at_point(const D& direction, std::size_t count) {
        decltype(auto) along = points::evaluated(direction);
        memory_.run_series(count, [&](std::size_t i) { return static_cast<T>(points::element(along, i)); });
    }
};

} // namespace chainrule::tape::replays
