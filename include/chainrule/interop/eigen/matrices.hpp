// SPDX-License-Identifier: BSL-1.0
//
// variables(), values() and gradients() for Eigen matrices: variables on a tape, their values and their derivatives.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/interop/eigen/numbers.hpp>

#include <stdexcept>
#include <string>

namespace chainrule::tape {

/// The type of a matrix of Number with the shape of M.
template <class Number, class M>
using matrix_like = Eigen::Matrix<Number, M::RowsAtCompileTime, M::ColsAtCompileTime,
                                  (M::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor) | Eigen::AutoAlign,
                                  M::MaxRowsAtCompileTime, M::MaxColsAtCompileTime>;

/// New independent variables for the numbers of a matrix, as a matrix of the same shape.
template <class T, class M>
[[nodiscard]] matrix_like<active<T>, M> variables(basic_tape<T>& on, const Eigen::DenseBase<M>& values) {
    matrix_like<active<T>, M> result(values.rows(), values.cols());
    const auto evaluated = values.derived().eval();
    for (Eigen::Index j = 0; j < values.cols(); ++j)
        for (Eigen::Index i = 0; i < values.rows(); ++i) result(i, j) = on.variable(static_cast<T>(evaluated(i, j)));
    return result;
}

namespace eigen {

template <class M>
using plain_of = kernel::plain_number<typename M::Scalar>;

template <class M>
concept active_matrix = expressions::is_active<typename M::Scalar>;

// The plain numbers of an evaluated matrix.
template <class T, class M>
matrix_like<T, M> values_of(const M& m) {
    matrix_like<T, M> result(m.rows(), m.cols());
    for (Eigen::Index j = 0; j < m.cols(); ++j)
        for (Eigen::Index i = 0; i < m.rows(); ++i) result(i, j) = static_cast<T>(expressions::plain(m(i, j)));
    return result;
}

// The tape of the recorded numbers of a matrix, or the given one. Throws std::logic_error if there are two.
template <class T, class M>
basic_tape<T>* tape_of(const M& m, basic_tape<T>* found = nullptr) {
    if constexpr (active_matrix<M>)
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            for (Eigen::Index i = 0; i < m.rows(); ++i) {
                if (found == nullptr) found = m(i, j).recorder();
                if (found != nullptr) (void)found->number_of(m(i, j));
            }
    return found;
}

template <class T, class M, class Contribution>
void add(const adjoint_view<T>& adjoints, const M& to, const Contribution& contribution) {
    if constexpr (active_matrix<M>)
        for (Eigen::Index j = 0; j < to.cols(); ++j)
            for (Eigen::Index i = 0; i < to.rows(); ++i)
                if (to(i, j).is_recorded()) adjoints[to(i, j)] = adjoints[to(i, j)] + contribution(i, j);
}

template <class M>
void check_square(const M& m, const char* call) {
    if (m.rows() != m.cols())
        core::raise(std::invalid_argument(std::string(call) + ": the matrix has " + std::to_string(m.rows()) +
                                          " rows and " + std::to_string(m.cols()) + " columns; give a square one"));
}

} // namespace eigen

/// The plain numbers of a matrix of active numbers.
template <class M>
requires eigen::active_matrix<M>
[[nodiscard]] auto values(const Eigen::DenseBase<M>& m) {
    return eigen::values_of<eigen::plain_of<M>>(m.derived().eval());
}
/// The derivative, with respect to each number of a matrix, of the output passed to backward(); zero for numbers that
/// are not recorded.
template <class M>
requires eigen::active_matrix<M>
[[nodiscard]] auto gradients(const Eigen::DenseBase<M>& m) {
    using T = eigen::plain_of<M>;
    matrix_like<T, M> result(m.rows(), m.cols());
    const auto& numbers = m.derived();
    for (Eigen::Index j = 0; j < m.cols(); ++j)
        for (Eigen::Index i = 0; i < m.rows(); ++i) {
            const active<T> x = numbers.coeff(i, j);
            result(i, j) = x.is_recorded() ? x.gradient() : T(0);
        }
    return result;
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
