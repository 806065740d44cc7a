// SPDX-License-Identifier: BSL-1.0
//
// variables(), values() and gradients() for Eigen matrices: variables on a tape, their values and their derivatives.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/interop/eigen/numbers.hpp>

#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>

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
    const auto row = [&](std::size_t k) { return static_cast<Eigen::Index>(k) % values.rows(); };
    const auto column = [&](std::size_t k) { return static_cast<Eigen::Index>(k) / values.rows(); };
    on.make_variables(
        static_cast<std::size_t>(values.size()), [&](std::size_t k) -> active<T>& { return result(row(k), column(k)); },
        [&](std::size_t k) { return static_cast<T>(evaluated(row(k), column(k))); });
    return result;
}

namespace eigen {

template <class M>
using plain_of = kernel::plain_number<typename M::Scalar>;

template <class M>
concept active_matrix = expressions::is_active<typename M::Scalar>;

// What a number is made of: the plain number of an active one, the value of a dual one. Integers are converted to
// double, since eliminations divide.
template <class Number>
struct number_below {
    using type = std::conditional_t<std::is_integral_v<Number>, double, kernel::plain_number<Number>>;
};
template <class T, std::size_t N>
struct number_below<dual<T, N>> {
    using type = T;
};
template <class M>
using below = typename number_below<typename M::Scalar>::type;

// The type in which two matrices are computed: that with more derivatives, or the common one. void if there is none.
template <class A, class B>
consteval auto common_number() {
    using a = typename A::Scalar;
    using b = typename B::Scalar;
    constexpr bool two_tapes = expressions::is_active<a> && expressions::is_active<b>;
    if constexpr (carries_derivatives<a> && std::same_as<a, b>)
        return std::type_identity<a>{};
    else if constexpr (interop::plain_beside<b, a> && (!two_tapes || std::same_as<b, below<A>>))
        return std::type_identity<a>{};
    else if constexpr (interop::plain_beside<a, b> && (!two_tapes || std::same_as<a, below<B>>))
        return std::type_identity<b>{};
    else if constexpr (carries_derivatives<a> || carries_derivatives<b>)
        return std::type_identity<void>{};
    else
        return std::type_identity<std::common_type_t<below<A>, below<B>>>{};
}
// The evaluated matrix, of numbers of the given type or of such as have no derivatives.
template <class Number, class M>
auto evaluated(const M& m) {
    if constexpr (carries_derivatives<typename M::Scalar> && !std::same_as<typename M::Scalar, Number>)
        return m.template cast<Number>().eval();
    else
        return m.eval();
}

// The numbers of an evaluated matrix as numbers of type T, without their derivatives if T has none.
template <class T, class M>
matrix_like<T, M> values_of(const M& m) {
    using number = typename M::Scalar;
    matrix_like<T, M> result(m.rows(), m.cols());
    for (Eigen::Index j = 0; j < m.cols(); ++j)
        for (Eigen::Index i = 0; i < m.rows(); ++i) {
            if constexpr (detail::is_dual<number> && !std::same_as<number, T>)
                result(i, j) = static_cast<T>(m(i, j).value);
            else
                result(i, j) = static_cast<T>(expressions::plain(m(i, j)));
        }
    return result;
}
// The derivatives of dual numbers in direction k.
template <class M>
matrix_like<below<M>, M> tangents_of(const M& m, std::size_t k) {
    matrix_like<below<M>, M> result(m.rows(), m.cols());
    for (Eigen::Index j = 0; j < m.cols(); ++j)
        for (Eigen::Index i = 0; i < m.rows(); ++i) result(i, j) = m(i, j).tangents[k];
    return result;
}

// The tape of the recorded numbers of a matrix, or the given one. Throws std::logic_error if there are two, or if it is
// destroyed.
template <class T, class M>
basic_tape<T>* tape_of(const M& m, basic_tape<T>* found = nullptr) {
    if constexpr (active_matrix<M>)
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            for (Eigen::Index i = 0; i < m.rows(); ++i) {
                if (!m(i, j).is_recorded()) continue;
                if (found == nullptr) found = basic_tape<T>::tape_of(m(i, j));
                (void)found->number_of(m(i, j));
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
