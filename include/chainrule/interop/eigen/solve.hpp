// SPDX-License-Identifier: BSL-1.0
//
// Linear solves on a tape. A solve with a factorisation in plain numbers is one operation, and its derivative uses the
// same factors; the elimination itself is not recorded.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/interop/eigen/matrices.hpp>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace chainrule::tape {

/// Gaussian elimination with partial pivoting, for every invertible matrix.
struct partial_pivoting_t {
    template <class Plain>
    static auto factors(const Plain& m, const char* call) {
        Eigen::PartialPivLU<Plain> result(m);
        if (is_singular(result))
            core::raise(
                std::domain_error(std::string(call) + ": the matrix is singular; check that its rows are independent"));
        return result;
    }
    template <class Plain>
    static bool is_singular(const Eigen::PartialPivLU<Plain>& lu) {
        using T = typename Plain::Scalar;
        return (lu.matrixLU().diagonal().array() == T(0)).any();
    }
    template <class Factors, class Right>
    static auto solve_transposed(const Factors& lu, const Right& right) {
        return Right(lu.transpose().solve(right));
    }
    template <class Factors>
    static auto log_determinant(const Factors& lu) {
        using std::abs, std::log;
        typename Factors::Scalar sum(0);
        for (Eigen::Index i = 0; i < lu.rows(); ++i) sum = sum + log(abs(lu.matrixLU()(i, i)));
        return sum;
    }
    // The derivative with respect to the matrix, from that with respect to a matrix of independent numbers.
    template <class Derivative>
    static Derivative by_numbers_read(Derivative d) {
        return d;
    }
};
/// Cholesky factorisation, for symmetric positive definite matrices; reads only the lower triangle.
struct cholesky_t {
    template <class Plain>
    static auto factors(const Plain& m, const char* call) {
        Eigen::LLT<Plain> result(m);
        if (result.info() != Eigen::Success)
            core::raise(std::domain_error(std::string(call) +
                                          ": the matrix is not positive definite; omit cholesky for "
                                          "other matrices"));
        return result;
    }
    template <class Factors, class Right>
    static auto solve_transposed(const Factors& llt, const Right& right) {
        return Right(llt.solve(right));
    }
    template <class Factors>
    static auto log_determinant(const Factors& llt) {
        using std::log;
        typename Factors::Scalar sum(0);
        for (Eigen::Index i = 0; i < llt.rows(); ++i) sum = sum + log(llt.matrixLLT()(i, i));
        return typename Factors::Scalar(sum + sum);
    }
    // Each number below the diagonal also represents its mirror image above it.
    template <class Derivative>
    static Derivative by_numbers_read(Derivative d) {
        for (Eigen::Index j = 0; j < d.cols(); ++j)
            for (Eigen::Index i = 0; i < j; ++i) {
                d(j, i) = d(j, i) + d(i, j);
                d(i, j) = typename Derivative::Scalar(0);
            }
        return d;
    }
};
inline constexpr partial_pivoting_t partial_pivoting{};
inline constexpr cholesky_t cholesky{};

/// The solution X of A X = B; A is square, B has one or more columns, and at least one of them contains active numbers.
/// It is one operation on the tape: with W = A^-T X', where ' marks adjoints, B' += W and A' -= W X^T (M. B. Giles,
/// "Collected matrix derivative results for forward and reverse mode algorithmic differentiation", 2008, section
/// 2.3.1).
///
/// The third argument, partial_pivoting or cholesky, chooses the factorisation. Throws std::invalid_argument if the
/// shapes do not match, std::domain_error if the matrix is singular or, for cholesky, not positive definite, and
/// std::logic_error for numbers of two tapes. Example: `auto x = solve(A, b); auto y = solve(C, b, cholesky);`
template <class A, class B, class Factorisation = partial_pivoting_t>
requires(eigen::active_matrix<A> || eigen::active_matrix<B>)
[[nodiscard]] auto solve(const Eigen::MatrixBase<A>& matrix, const Eigen::MatrixBase<B>& right,
                         Factorisation how = {}) {
    using T = std::conditional_t<eigen::active_matrix<A>, eigen::plain_of<A>, eigen::plain_of<B>>;
    constexpr bool one_type = !eigen::active_matrix<B> || std::same_as<eigen::plain_of<B>, T>;
    static_assert(one_type,
                  "solve: the matrix and the right-hand side have active numbers of two types; convert them to one");
    constexpr int size = A::ColsAtCompileTime != Eigen::Dynamic ? int{A::ColsAtCompileTime} : int{B::RowsAtCompileTime};
    using solution = Eigen::Matrix<active<T>, size, B::ColsAtCompileTime>;
    using plain_solution = Eigen::Matrix<T, size, B::ColsAtCompileTime>;

    eigen::check_square(matrix, "solve");
    if (matrix.rows() != right.rows())
        core::raise(std::invalid_argument("solve: the matrix has " + std::to_string(matrix.rows()) +
                                          " rows and the right-hand side " + std::to_string(right.rows()) +
                                          "; give as many"));
    const auto a = matrix.derived().eval();
    const auto b = right.derived().eval();
    const auto factors = how.factors(eigen::values_of<T>(a), "solve");
    const plain_solution x = factors.solve(eigen::values_of<T>(b));

    basic_tape<T>* const on = eigen::tape_of<T>(b, eigen::tape_of<T>(a));
    if (on == nullptr) return solution(x.template cast<active<T>>());
    // Shared, because the tape copies the function objects that it calls.
    const auto kept = std::make_shared<const std::tuple<decltype(a), decltype(b), decltype(factors), plain_solution>>(
        a, b, factors, x);
    const auto numbers = on->operation(
        std::span<const T>(x.data(), static_cast<std::size_t>(x.size())),
        [kept](std::span<const active<T>> results, const adjoint_view<T>& adjoints) {
            const auto& [left, known, inverse, found] = *kept;
            plain_solution adjoint(found.rows(), found.cols());
            bool zero = true;
            for (Eigen::Index i = 0; i < found.size(); ++i) {
                adjoint.data()[i] = adjoints[results[static_cast<std::size_t>(i)]];
                zero = zero && core::is_structural_zero(adjoint.data()[i]);
            }
            if (zero) return;
            const plain_solution w = Factorisation::solve_transposed(inverse, adjoint);
            eigen::add(adjoints, known, w);
            if constexpr (eigen::active_matrix<A>)
                eigen::add(adjoints, left,
                           Factorisation::by_numbers_read(Eigen::Matrix<T, size, size>(-w * found.transpose())));
        });
    solution result(x.rows(), x.cols());
    for (Eigen::Index i = 0; i < x.size(); ++i) result.data()[i] = numbers[static_cast<std::size_t>(i)];
    return result;
}

/// The inverse, as one operation on the tape: solve() for the identity matrix.
template <class A, class Factorisation = partial_pivoting_t>
requires eigen::active_matrix<A>
[[nodiscard]] auto inverse(const Eigen::MatrixBase<A>& matrix, Factorisation how = {}) {
    eigen::check_square(matrix, "inverse");
    return solve(matrix, matrix_like<eigen::plain_of<A>, A>::Identity(matrix.rows(), matrix.cols()), how);
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
