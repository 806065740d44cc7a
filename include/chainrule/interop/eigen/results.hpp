// SPDX-License-Identifier: BSL-1.0
//
// as_eigen(): the arrays that functions return, as matrices of Eigen.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>

namespace chainrule {

/// A gradient, values, or any other array of numbers as a column vector of Eigen.
/// Example: `Eigen::Vector3d g = as_eigen(F.gradient(u));`
template <class T, std::size_t Size>
[[nodiscard]] Eigen::Matrix<T, static_cast<int>(Size), 1> as_eigen(const std::array<T, Size>& numbers) {
    return Eigen::Map<const Eigen::Matrix<T, static_cast<int>(Size), 1>>(numbers.data());
}
/// A Hessian, a Jacobian, or any other array of rows as a matrix of Eigen: the element (i, j) is rows[i][j].
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] Eigen::Matrix<T, static_cast<int>(Rows), static_cast<int>(Columns)>
as_eigen(const std::array<std::array<T, Columns>, Rows>& rows) {
    Eigen::Matrix<T, static_cast<int>(Rows), static_cast<int>(Columns)> result;
    for (std::size_t i = 0; i < Rows; ++i)
        result.row(static_cast<Eigen::Index>(i)) =
            Eigen::Map<const Eigen::Matrix<T, 1, static_cast<int>(Columns)>>(rows[i].data());
    return result;
}
/// Anything else has a sentence.
template <class Result>
int as_eigen(const Result&) {
    constexpr bool is_array = sizeof(Result) == 0;
    static_assert(is_array, "as_eigen: the argument is not an array of numbers or of rows of numbers; pass a member of "
                            "the result, as in as_eigen(r.gradient), or as_eigen(n.values) of numbers by name");
    return 0;
}

} // namespace chainrule
