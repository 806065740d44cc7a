// SPDX-License-Identifier: BSL-1.0
//
// Linear solves. A solve of active numbers, with a factorisation in plain numbers, is one operation on the tape, and
// its derivative uses the same factors; the elimination itself is not recorded. Dual numbers use the plain factors too.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/interop/eigen/matrices.hpp>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <array>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
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
    // The matrix whose factors are those of m.
    template <class M>
    static M matrix_read(M m) {
        return m;
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
    template <class M>
    static M matrix_read(M m) {
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            for (Eigen::Index i = 0; i < j; ++i) m(i, j) = m(j, i);
        return m;
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

namespace eigen {

template <class A, class B, class Factorisation>
[[nodiscard]] auto solved(const char* call, const Eigen::MatrixBase<A>& matrix, const Eigen::MatrixBase<B>& right,
                          Factorisation how);

// The solution of a system of evaluated matrices as one operation on the tape.
template <class Solution, class A, class B, class Factorisation>
Solution solved_on_tape(const char* call, const A& a, const B& b, Factorisation how) {
    using T = below<Solution>;
    using plain_solution = matrix_like<T, Solution>;
    using square = Eigen::Matrix<T, Solution::RowsAtCompileTime, Solution::RowsAtCompileTime>;
    const auto factors = how.factors(values_of<T>(a), call);
    const plain_solution x = factors.solve(values_of<T>(b));

    basic_tape<T>* const on = tape_of<T>(b, tape_of<T>(a));
    if (on == nullptr) return Solution(x.template cast<active<T>>());
    // Shared, because the tape copies the function objects that it calls.
    const auto kept = std::make_shared<const std::tuple<A, B, decltype(factors), plain_solution>>(a, b, factors, x);
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
            if constexpr (active_matrix<A>)
                eigen::add(adjoints, left, Factorisation::by_numbers_read(square(-w * found.transpose())));
        });
    Solution result(x.rows(), x.cols());
    for (Eigen::Index i = 0; i < x.size(); ++i) result.data()[i] = numbers[static_cast<std::size_t>(i)];
    return result;
}

// The solution of a system of evaluated matrices of dual numbers: one in plain numbers, and one for all derivatives.
template <class Solution, class A, class B, class Factorisation>
Solution solved_in_directions(const char* call, const A& a, const B& b, Factorisation how) {
    using T = below<Solution>;
    using plain_solution = matrix_like<T, Solution>;
    constexpr std::size_t directions = std::tuple_size_v<decltype(Solution::Scalar::tangents)>;
    constexpr int columns = Solution::ColsAtCompileTime, all = static_cast<int>(directions) * columns;
    using slopes = Eigen::Matrix<T, Solution::RowsAtCompileTime, (columns == Eigen::Dynamic ? columns : all)>;

    const auto values = values_of<T>(a);
    // Numbers that have derivatives in turn get these by their own rule, not by an elimination.
    const auto inverted = [&] {
        if constexpr (carries_derivatives<T>)
            return [&](const auto& known) { return eigen::solved(call, values, known, how); };
        else
            return [factors = how.factors(values, call)](const auto& known) {
                return std::remove_cvref_t<decltype(known)>(factors.solve(known));
            };
    }();
    const plain_solution x = inverted(plain_solution(values_of<T>(b)));
    const Eigen::Index width = x.cols();
    slopes moved = slopes::Zero(x.rows(), width * static_cast<Eigen::Index>(directions));
    for (std::size_t k = 0; k < directions; ++k) {
        auto part = moved.middleCols(static_cast<Eigen::Index>(k) * width, width);
        if constexpr (detail::is_dual<typename B::Scalar>) part += tangents_of(b, k);
        if constexpr (detail::is_dual<typename A::Scalar>)
            part -= plain_solution(Factorisation::matrix_read(tangents_of(a, k)) * x);
    }
    moved = inverted(moved);
    Solution result(x.rows(), width);
    for (Eigen::Index j = 0; j < width; ++j)
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            result(i, j).value = x(i, j);
            for (std::size_t k = 0; k < directions; ++k)
                result(i, j).tangents[k] = moved(i, static_cast<Eigen::Index>(k) * width + j);
        }
    return result;
}

// The solution, for the call of that name.
template <class A, class B, class Factorisation>
auto solved(const char* call, const Eigen::MatrixBase<A>& matrix, const Eigen::MatrixBase<B>& right,
            Factorisation how) {
    using number = typename decltype(eigen::common_number<A, B>())::type;
    constexpr bool one_type = !std::is_void_v<number>;
    static_assert(one_type, "solve: the matrix and the right-hand side have numbers of two types with derivatives; "
                            "convert them to one");
    constexpr int size = A::ColsAtCompileTime != Eigen::Dynamic ? int{A::ColsAtCompileTime} : int{B::RowsAtCompileTime};

    eigen::check_square(matrix, call);
    if (matrix.rows() != right.rows())
        core::raise(std::invalid_argument("solve: the matrix has " + std::to_string(matrix.rows()) +
                                          " rows and the right-hand side " + std::to_string(right.rows()) +
                                          "; give as many"));
    if constexpr (one_type) {
        using solution = Eigen::Matrix<number, size, B::ColsAtCompileTime>;
        const auto a = eigen::evaluated<number>(matrix.derived());
        const auto b = eigen::evaluated<number>(right.derived());
        if constexpr (expressions::is_active<number>)
            return eigen::solved_on_tape<solution>(call, a, b, how);
        else if constexpr (detail::is_dual<number>)
            return eigen::solved_in_directions<solution>(call, a, b, how);
        else
            return solution(how.factors(eigen::values_of<number>(a), call).solve(eigen::values_of<number>(b)));
    } else {
        return right.eval();
    }
}

} // namespace eigen

/// The solution X of A X = B; A is square, B has one or more columns, and either may contain plain numbers.
/// With active numbers it is one operation on the tape: with W = A^-T X', where ' marks adjoints, B' += W and
/// A' -= W X^T (M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
/// differentiation", 2008, section 2.3.1). With dual numbers, where ' marks derivatives, A X' = B' - A' X is solved
/// with the factors of A. A recording (tape/replay.hpp) has the elimination.
///
/// The third argument, partial_pivoting or cholesky, chooses the factorisation. Throws std::invalid_argument if the
/// shapes do not match, std::domain_error if the matrix is singular or, for cholesky, not positive definite, and
/// std::logic_error for numbers of two tapes. Example: `auto x = solve(A, b); auto y = solve(C, b, cholesky);`
template <class A, class B, class Factorisation = partial_pivoting_t>
[[nodiscard]] auto solve(const Eigen::MatrixBase<A>& matrix, const Eigen::MatrixBase<B>& right,
                         Factorisation how = {}) {
    return eigen::solved("solve", matrix, right, how);
}

/// The inverse: solve() for the identity matrix.
template <class A, class Factorisation = partial_pivoting_t>
[[nodiscard]] auto inverse(const Eigen::MatrixBase<A>& matrix, Factorisation how = {}) {
    eigen::check_square(matrix, "inverse");
    return eigen::solved("inverse", matrix, matrix_like<eigen::plain_of<A>, A>::Identity(matrix.rows(), matrix.cols()),
                         how);
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
