// SPDX-License-Identifier: BSL-1.0
//
// The result of a batch if the caller gives no memory: numbers that belong to points, each number in a column of its
// own.
#pragma once

#include <chainrule/batch/data/tables.hpp>
#include <chainrule/core/zero_after_move.hpp>

#include <array>
#include <vector>

namespace chainrule {

/// A number, or an array of numbers of the given shape, for each of size() points. result(i, j) is element j of point
/// i, result.column(j) is element j of all points.
template <class T, std::size_t... Shape>
class batch_result {
    static constexpr std::size_t shape[sizeof...(Shape) + 1] = {Shape..., 1};

public:
    /// Numbers per point.
    static constexpr std::size_t numbers = (std::size_t{1} * ... * Shape);

    explicit batch_result(std::size_t points) : points_(points), numbers_(points * numbers) {}

    /// The number of points; none after a move.
    [[nodiscard]] std::size_t size() const { return points_; }
    /// An element of one point.
    template <class... Index>
    [[nodiscard]] const T& operator()(std::size_t point, Index... element) const {
        return numbers_[position(element...) * points_ + point];
    }
    /// The number of one point.
    [[nodiscard]] const T& operator[](std::size_t point) const
    requires(sizeof...(Shape) == 0)
    {
        return numbers_[point];
    }
    [[nodiscard]] const T* begin() const
    requires(sizeof...(Shape) == 0)
    {
        return numbers_.data();
    }
    [[nodiscard]] const T* end() const
    requires(sizeof...(Shape) == 0)
    {
        return numbers_.data() + points_;
    }
    /// An element of all points: a range.
    template <class... Index>
    [[nodiscard]] auto column(Index... element) const {
        return batches::column_view<const T, batches::layout::contiguous>{
            numbers_.data() + position(element...) * points_, points_, 1};
    }
    /// All numbers: column after column.
    [[nodiscard]] const T* data() const { return numbers_.data(); }

    /// The columns, to be written.
    [[nodiscard]] auto table() {
        return batches::table_view<T, batches::layout::contiguous>{numbers_.data(), points_, numbers, 1,
                                                                   static_cast<std::ptrdiff_t>(points_)};
    }

private:
    template <class... Index>
    static constexpr std::size_t position(Index... element) {
        static_assert(sizeof...(Index) == sizeof...(Shape), "batch_result: the number of indices is not that of the "
                                                            "shape; give the point first, then one index per extent");
        const std::size_t indices[] = {static_cast<std::size_t>(element)..., 0};
        std::size_t at = 0;
        for (std::size_t d = 0; d < sizeof...(Shape); ++d) at = at * shape[d] + indices[d];
        return at;
    }

    core::zero_after_move<std::size_t> points_;
    std::vector<T> numbers_;
};

/// A value and a gradient per point; structured bindings work.
template <class T, std::size_t Variables>
struct batch_value_and_gradient {
    batch_result<T> value;               ///< value(i) at point i
    batch_result<T, Variables> gradient; ///< gradient(i, j), with respect to input j
};
/// A value, a gradient and a Hessian per point.
template <class T, std::size_t Variables>
struct batch_second_order {
    batch_result<T> value;                         ///< value(i) at point i
    batch_result<T, Variables> gradient;           ///< gradient(i, j), with respect to input j
    batch_result<T, Variables, Variables> hessian; ///< hessian(i, j, k), with respect to inputs j and k
};
/// The values of a vector and its Jacobian per point.
template <class T, std::size_t Rows, std::size_t Variables>
struct batch_values_and_jacobian {
    batch_result<T, Rows> values;              ///< values(i, r), of expression r at point i
    batch_result<T, Rows, Variables> jacobian; ///< jacobian(i, r, j), with respect to input j
};

} // namespace chainrule
