// SPDX-License-Identifier: BSL-1.0
//
// det: the determinant of a matrix by expansion in minors, and its gradient. Sharing equal minors, or elimination,
// would be another algorithm; a replayed recording shares equal operations by itself.
#pragma once

#include <bit>
#include <utility>

#include "../workloads/minors.hpp"
#include "eval.hpp"

namespace gradbench {

struct det {
    static constexpr auto name = "det";
    std::size_t order;
    numbers point;

    static det of_size(std::size_t order) { return {order, random_numbers(order * order)}; }
    static det read(std::istream& in) {
        const std::size_t order = read_size(in);
        return {order, read_numbers(in, order * order)};
    }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        return minor(order, x, 0, (1U << order) - 1U);
    }
    /// Of the rows from this one on and the columns in a set.
    template <class List>
    [[nodiscard]] static constexpr number_of<List> minor(std::size_t order, const List& x, std::size_t row,
                                                         unsigned columns) {
        const auto column = [](unsigned set) { return static_cast<std::size_t>(std::countr_zero(set)); };
        if (row + 1 == order) return x[order * row + column(columns)];
        number_of<List> sum = 0.0;
        bool minus = false;
        for (unsigned left = columns; left != 0; left &= left - 1U, minus = !minus) {
            const std::size_t j = column(left);
            const number_of<List> rest = minor(order, x, row + 1, columns & ~(1U << j));
            if (minus)
                sum -= x[order * row + j] * rest;
            else
                sum += x[order * row + j] * rest;
        }
        return sum;
    }

    /// With the order known, except for the smallest and greatest.
    void by_hand(numbers& result) const {
        result.assign(order * order, 0.0);
        const unsigned all = (1U << order) - 1U;
        const auto is_done = [&]<int... Order>(std::integer_sequence<int, Order...>) {
            const auto done = [&]<int Known>(std::integral_constant<int, Known>) {
                if (order != std::size_t{Known}) return false;
                workloads::add_slopes_of_minors<Known>(point.data(), result.data(), all, 1.0);
                return true;
            };
            return (done(std::integral_constant<int, Order + 3>{}) || ...);
        };
        if (!is_done(std::make_integer_sequence<int, 10>{})) (void)descend(result, 0, all, 1.0);
    }
    double descend(numbers& result, std::size_t row, unsigned columns, double adjoint) const {
        double sum = 0.0, sign = 1.0;
        for (unsigned left = columns; left != 0; left &= left - 1U, sign = -sign) {
            const auto j = static_cast<std::size_t>(std::countr_zero(left));
            const double entry = point[order * row + j];
            const double rest =
                row + 1 == order ? 1.0 : descend(result, row + 1, columns & ~(1U << j), sign * adjoint * entry);
            result[order * row + j] += sign * adjoint * rest;
            sum += sign * entry * rest;
        }
        return sum;
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
