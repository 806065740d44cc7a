// SPDX-License-Identifier: BSL-1.0
//
// Traits that let Eigen compute with tape::active<T>, tape::eager<T>, tape::replayable<T> and dual<T, N>: which types
// can be mixed, and replacements for algorithms of Eigen that would lose derivatives.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/dual/dual_variables.hpp>
#include <chainrule/tape/recording/carries_derivatives.hpp>
#include <chainrule/tape/recording/comparison.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>

#include <Eigen/Core>

#include <concepts>

template <class T>
struct Eigen::NumTraits<chainrule::tape::active<T>> : Eigen::GenericNumTraits<chainrule::tape::active<T>> {
    // An active number starts unrecorded. An operation computes its derivatives and stores them.
    enum { RequireInitialization = 1, ReadCost = 3, AddCost = 4, MulCost = 4 };
    static chainrule::tape::active<T> dummy_precision() { return T(Eigen::NumTraits<T>::dummy_precision()); }
};
// Eigen calls some functions with an expression of active numbers instead of a number, as in abs2(x / y).
template <chainrule::expression E>
requires(int{E::arity} > 0 && chainrule::tape::holds_actives<E>)
struct Eigen::NumTraits<E> : Eigen::NumTraits<chainrule::tape::active<typename chainrule::tape::actives_in<E>::type>> {
};

template <class T>
struct Eigen::NumTraits<chainrule::tape::eager<T>> : Eigen::GenericNumTraits<chainrule::tape::eager<T>> {
    enum { RequireInitialization = 1, ReadCost = 3, AddCost = 8, MulCost = 8 };
    static chainrule::tape::eager<T> dummy_precision() { return T(Eigen::NumTraits<T>::dummy_precision()); }
};

template <class T, std::size_t N>
struct Eigen::NumTraits<chainrule::dual<T, N>> : Eigen::GenericNumTraits<chainrule::dual<T, N>> {
    enum { RequireInitialization = 1, ReadCost = 1 + int{N}, AddCost = 1 + int{N}, MulCost = 1 + 3 * int{N} };
    static chainrule::dual<T, N> dummy_precision() { return T(Eigen::NumTraits<T>::dummy_precision()); }
};

template <class T>
struct Eigen::NumTraits<chainrule::tape::replayable<T>> : Eigen::GenericNumTraits<chainrule::tape::replayable<T>> {
    enum { RequireInitialization = 1, ReadCost = 2, AddCost = 8, MulCost = 8 };
    static chainrule::tape::replayable<T> dummy_precision() { return T(Eigen::NumTraits<T>::dummy_precision()); }
};

namespace chainrule::interop {

/// A plain number in a matrix operation with a number that carries derivatives. (Active and eager numbers convert into
/// one another.)
template <class Plain, class Number>
concept plain_beside =
    tape::carries_derivatives<Number> && !std::same_as<Plain, Number> && std::convertible_to<Plain, Number> &&
    !(tape::carries_derivatives<Plain> && std::convertible_to<Number, Plain>);
template <class A, class B>
concept mixed = plain_beside<A, B> || plain_beside<B, A>;

} // namespace chainrule::interop

template <class Number, class Plain, class Operation>
requires chainrule::interop::plain_beside<Plain, Number>
struct Eigen::ScalarBinaryOpTraits<Number, Plain, Operation> {
    using ReturnType = Number;
};
template <class Plain, class Number, class Operation>
requires chainrule::interop::plain_beside<Plain, Number>
struct Eigen::ScalarBinaryOpTraits<Plain, Number, Operation> {
    using ReturnType = Number;
};

// Eigen's blocked products take only one number type; with two, each entry is computed separately.
template <class L, class R>
requires chainrule::interop::mixed<typename L::Scalar, typename R::Scalar>
struct Eigen::internal::generic_product_impl<L, R, Eigen::DenseShape, Eigen::DenseShape, Eigen::GemmProduct>
    : Eigen::internal::generic_product_impl<L, R, Eigen::DenseShape, Eigen::DenseShape, Eigen::CoeffBasedProductMode> {
};
template <class L, class R>
requires chainrule::interop::mixed<typename L::Scalar, typename R::Scalar>
struct Eigen::internal::generic_product_impl<L, R, Eigen::DenseShape, Eigen::DenseShape, Eigen::GemvProduct>
    : Eigen::internal::generic_product_impl<L, R, Eigen::DenseShape, Eigen::DenseShape, Eigen::CoeffBasedProductMode> {
};

namespace chainrule::interop {

// Eigen's own substitution skips the steps for a number whose value is zero, and so loses its derivatives.
template <class Left, class Number, class Index, int Mode, bool RowMajor>
struct substitution {
    static void run(Index size, const Left* left, Index stride, Number* right) {
        const auto at = [&](Index i, Index j) { return RowMajor ? left[i * stride + j] : left[i + j * stride]; };
        constexpr bool lower = (Mode & Eigen::Lower) != 0;
        for (Index step = 0; step < size; ++step) {
            const Index j = lower ? step : size - 1 - step;
            if constexpr ((Mode & Eigen::UnitDiag) == 0) right[j] = right[j] / at(j, j);
            const Index first = lower ? j + 1 : 0, last = lower ? size : j;
            for (Index i = first; i < last; ++i) right[i] = right[i] - at(i, j) * right[j];
        }
    }
};

// The same for a sparse matrix, in columns.
template <class Left, class Right, int Mode>
struct sparse_substitution {
    static void run(const Left& left, Right& right) {
        using iterator = typename Eigen::internal::evaluator<Left>::InnerIterator;
        const Eigen::internal::evaluator<Left> columns(left);
        constexpr bool lower = (Mode & Eigen::Lower) != 0;
        for (Eigen::Index step = 0; step < left.cols(); ++step) {
            const Eigen::Index j = lower ? step : left.cols() - 1 - step;
            if constexpr ((Mode & Eigen::UnitDiag) == 0)
                for (iterator i(columns, j); i; ++i)
                    if (i.index() == j)
                        for (Eigen::Index k = 0; k < right.cols(); ++k) right.coeffRef(j, k) /= i.value();
            for (iterator i(columns, j); i; ++i)
                if (lower ? i.index() > j : i.index() < j)
                    for (Eigen::Index k = 0; k < right.cols(); ++k)
                        right.coeffRef(i.index(), k) -= i.value() * right.coeff(j, k);
        }
    }
};

} // namespace chainrule::interop

// Of Eigen/SparseCore, which need not be included.
namespace Eigen::internal {
template <class Left, class Right, int Mode, int UpLo, int StorageOrder>
struct sparse_solve_triangular_selector;
}
template <class Left, class Right, int Mode>
requires chainrule::tape::carries_derivatives<typename Right::Scalar>
struct Eigen::internal::sparse_solve_triangular_selector<Left, Right, Mode, Eigen::Lower, Eigen::ColMajor>
    : chainrule::interop::sparse_substitution<Left, Right, Mode> {};
template <class Left, class Right, int Mode>
requires chainrule::tape::carries_derivatives<typename Right::Scalar>
struct Eigen::internal::sparse_solve_triangular_selector<Left, Right, Mode, Eigen::Upper, Eigen::ColMajor>
    : chainrule::interop::sparse_substitution<Left, Right, Mode> {};

template <class Left, class Number, class Index, int Mode, bool Conjugate>
requires chainrule::tape::carries_derivatives<Number>
struct Eigen::internal::triangular_solve_vector<Left, Number, Index, Eigen::OnTheLeft, Mode, Conjugate, Eigen::ColMajor>
    : chainrule::interop::substitution<Left, Number, Index, Mode, false> {};
template <class Left, class Number, class Index, int Mode, bool Conjugate>
requires chainrule::tape::carries_derivatives<Number>
struct Eigen::internal::triangular_solve_vector<Left, Number, Index, Eigen::OnTheLeft, Mode, Conjugate, Eigen::RowMajor>
    : chainrule::interop::substitution<Left, Number, Index, Mode, true> {};

template <class Matrix>
requires requires(const Matrix& m) { []<class Derived>(const Eigen::EigenBase<Derived>&) {}(m); }
inline constexpr bool chainrule::expressions::has_own_operators<Matrix> = true;

namespace chainrule {

namespace interop {

template <class Matrix>
concept one_number = int{Matrix::RowsAtCompileTime} == 1 && int{Matrix::ColsAtCompileTime} == 1;

} // namespace interop

/// A number on a tape beside a matrix of one number, such as v.transpose() * A * v. (Of other classes of numbers
/// Eigen's conversion does, and times a number it is a matrix.)
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <class N, interop::one_number Matrix>                                                                     \
    requires tape::holds_actives<N>                                                                                    \
    [[nodiscard]] auto operator SYMBOL(const N& x, const Eigen::MatrixBase<Matrix>& m) {                               \
        return x SYMBOL typename Matrix::Scalar(m.value());                                                            \
    }                                                                                                                  \
    template <class N, interop::one_number Matrix>                                                                     \
    requires tape::holds_actives<N>                                                                                    \
    [[nodiscard]] auto operator SYMBOL(const Eigen::MatrixBase<Matrix>& m, const N& x) {                               \
        return typename Matrix::Scalar(m.value()) SYMBOL x;                                                            \
    }
CHAINRULE_OPERATOR(+)
CHAINRULE_OPERATOR(-)
#undef CHAINRULE_OPERATOR

} // namespace chainrule

#include <chainrule/core/names_end.inc>
