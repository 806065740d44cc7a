// SPDX-License-Identifier: BSL-1.0
//
// Determinants. The derivatives are cofactors, which exist without an inverse too; on a tape, each is one statement.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/eigen/solve.hpp>
#include <chainrule/matrices/division_free.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace chainrule::tape {

template <class A>
[[nodiscard]] auto determinant(const Eigen::MatrixBase<A>& matrix);

namespace eigen {

using std::frexp, std::ldexp;

// Whether powers of two can be taken out of numbers of type T.
template <class T>
concept has_exponents = !carries_derivatives<typename detail::carried<T>::plain> &&
                        requires(const typename detail::carried<T>::plain& x, int exponent) {
                            frexp(x, &exponent);
                            ldexp(x, exponent);
                        };

// The exponent of the plain number in x; 0 of a zero, an infinity and a NaN.
template <class T>
int exponent_of(const T& x) {
    int exponent = 0;
    if constexpr (has_exponents<T>) {
        const auto plain = detail::carried<T>::value(x);
        if (core::keeps_zero(plain)) (void)frexp(plain, &exponent);
    }
    return exponent;
}
template <class T>
T times_power_of_two(T x, std::int64_t exponent) {
    if constexpr (has_exponents<T>) {
        using plain = typename detail::carried<T>::plain;
        // Beyond four times the exponents of the type, the result is 0 or infinite.
        constexpr std::int64_t most = std::numeric_limits<plain>::max_exponent - 2;
        exponent = std::clamp(exponent, -4 * most, 4 * most);
        while (exponent != 0) {
            const auto step = std::clamp(exponent, -most, most);
            x = T(x * T(plain(ldexp(plain(1), static_cast<int>(step)))));
            exponent -= step;
        }
    }
    return x;
}

// The number mantissa * 2^exponent, which may be beyond the numbers of type T.
template <class T>
struct scaled {
    T mantissa;
    std::int64_t exponent = 0;

    void times(const T& x) {
        mantissa = T(mantissa * x);
        const int taken = exponent_of(mantissa);
        mantissa = times_power_of_two(mantissa, -taken);
        exponent += taken;
    }
    [[nodiscard]] T value() const { return times_power_of_two(mantissa, exponent); }
};

// The elimination of a matrix of at least one number, whose rows and columns are first multiplied by powers of two such
// that the largest number of each is about 1. So neither it nor the inverse is beyond the numbers where the
// determinant or a cofactor is not.
template <class Plain>
class balanced_elimination {
public:
    using T = typename Plain::Scalar;

    [[nodiscard]] bool is_singular() const { return partial_pivoting_t::is_singular(lu_); }

    explicit balanced_elimination(const Plain& m)
        : matrix_(m), rows_(exponents::Zero(m.rows())), columns_(exponents::Zero(m.rows())) {
        const Eigen::Index n = m.rows();
        for (Eigen::Index i = 0; i < n; ++i) balance(matrix_.row(i), rows_(i));
        for (Eigen::Index j = 0; j < n; ++j) balance(matrix_.col(j), columns_(j));
        for (Eigen::Index i = 0; i < n; ++i) exponent_ += rows_(i) + columns_(i);
        lu_.compute(matrix_);
    }

    [[nodiscard]] scaled<T> determinant() const {
        scaled<T> product{T(lu_.permutationP().determinant()), exponent_};
        for (Eigen::Index i = 0; i < matrix_.rows(); ++i) product.times(lu_.matrixLU()(i, i));
        return product;
    }
    [[nodiscard]] Plain cofactors() const {
        const scaled<T> whole = determinant();
        const Eigen::Index n = matrix_.rows();
        bool singular = is_singular();
        Plain result = singular ? matrix_ : Plain(lu_.inverse().transpose());
        if (!singular) singular = loses_derivatives(result);
        for (Eigen::Index j = 0; j < n; ++j)
            for (Eigen::Index i = 0; i < n; ++i) {
                scaled<T> cofactor = singular ? signed_minor(i, j) : scaled<T>{whole.mantissa, whole.exponent};
                if (!singular) cofactor.times(result(i, j));
                cofactor.exponent -= rows_(i) + columns_(j);
                result(i, j) = cofactor.value();
            }
        return result;
    }

private:
    using exponents =
        Eigen::Matrix<std::int64_t, Plain::RowsAtCompileTime, 1, Eigen::ColMajor, Plain::MaxRowsAtCompileTime, 1>;
    Plain matrix_;
    exponents rows_, columns_;
    std::int64_t exponent_ = 0;
    Eigen::PartialPivLU<Plain> lu_;

    // Whether derivatives of cofactors by this inverse would lose half of their digits, or all in a large matrix, where
    // minors take long: det A d(A^-T) cancels against d(det A) A^-T, and each is larger than the difference by as much
    // as products of numbers of the matrix and the inverse are larger than 1.
    [[nodiscard]] bool loses_derivatives([[maybe_unused]] const Plain& inverse_transposed) const {
        if constexpr (carries_derivatives<T>) {
            using plain = typename detail::carried<T>::plain;
            using limits = std::numeric_limits<plain>;
            const Eigen::Index n = matrix_.rows();
            const plain lost = n <= 16 ? ldexp(plain(1), -limits::digits / 2) : plain(8 * n) * limits::epsilon();
            for (Eigen::Index j = 0; j < n; ++j)
                for (Eigen::Index i = 0; i < n; ++i) {
                    const plain product(detail::carried<T>::value(matrix_(i, j)) *
                                        detail::carried<T>::value(inverse_transposed(i, j)));
                    if (!(detail::magnitude_of(product) * limits::epsilon() < lost)) return true;
                }
        }
        return false;
    }
    // Takes the largest exponent out of a row or column.
    template <class Numbers>
    static void balance(Numbers&& numbers, std::int64_t& exponent) {
        bool found = false;
        for (const T& x : numbers) {
            if (core::is_structural_zero(detail::carried<T>::value(x))) continue;
            exponent = found ? std::max<std::int64_t>(exponent, exponent_of(x)) : exponent_of(x);
            found = true;
        }
        for (T& x : numbers) x = times_power_of_two(x, -exponent);
    }
    // A cofactor by its definition.
    [[nodiscard]] scaled<T> signed_minor(Eigen::Index i, Eigen::Index j) const {
        const T sign((i + j) % 2 == 0 ? 1 : -1);
        const Eigen::Index n = matrix_.rows();
        if (n == 1) return {sign, exponent_};
        Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> rest(n - 1, n - 1);
        for (Eigen::Index l = 0; l + 1 < n; ++l)
            for (Eigen::Index k = 0; k + 1 < n; ++k) rest(k, l) = matrix_(k + (k >= i ? 1 : 0), l + (l >= j ? 1 : 0));
        scaled<T> minor;
        if constexpr (carries_derivatives<T>) // which a singular elimination would lose
            minor.mantissa = chainrule::tape::determinant(rest);
        else
            minor = balanced_elimination<decltype(rest)>(rest).determinant();
        minor.mantissa = T(minor.mantissa * sign);
        minor.exponent += exponent_;
        return minor;
    }
};

// A number computed from a matrix, with its derivative with respect to each number of the matrix.
template <class T, class M, class Derivative>
typename M::Scalar with_derivative(const T& value, const M& m, const Derivative& derivative) {
    if constexpr (active_matrix<M>) {
        basic_tape<T>* const on = tape_of<T>(m);
        if (on == nullptr) return value;
        std::vector<active<T>> operands;
        std::vector<T> partials;
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            for (Eigen::Index i = 0; i < m.rows(); ++i) {
                operands.push_back(m(i, j));
                partials.push_back(derivative(i, j));
            }
        return on->statement(value, operands, partials);
    } else {
        typename M::Scalar result(value);
        for (Eigen::Index j = 0; j < m.cols(); ++j)
            for (Eigen::Index i = 0; i < m.rows(); ++i) {
                if (core::is_structural_zero(derivative(i, j))) continue;
                for (std::size_t k = 0; k < result.tangents.size(); ++k)
                    if (const T& tangent = m(i, j).tangents[k]; !core::is_structural_zero(tangent))
                        result.tangents[k] = T(result.tangents[k] + derivative(i, j) * tangent);
            }
        return result;
    }
}

} // namespace eigen

/// The determinant. Its derivative is the matrix of cofactors, det(A) A^-T if A has an inverse; with active numbers it
/// is one statement. A recording has the elimination. Throws std::invalid_argument if the matrix is not square.
template <class A>
auto determinant(const Eigen::MatrixBase<A>& matrix) {
    using T = eigen::below<A>;
    using number = std::conditional_t<carries_derivatives<typename A::Scalar>, typename A::Scalar, T>;
    eigen::check_square(matrix, "determinant");
    const auto a = matrix.derived().eval();
    if (a.size() == 0) return number(T(1));
    if constexpr (expressions::is_active<number> || detail::is_dual<number>) {
        const auto values = eigen::values_of<T>(a);
        const eigen::balanced_elimination<matrix_like<T, A>> elimination(values);
        if constexpr (carries_derivatives<T>)
            return eigen::with_derivative(T(chainrule::tape::determinant(values)), a, elimination.cofactors());
        else
            return eigen::with_derivative(elimination.determinant().value(), a, elimination.cofactors());
    } else {
        const auto values = eigen::values_of<number>(a);
        const eigen::balanced_elimination<matrix_like<number, A>> elimination(values);
        // An elimination that skips a column of zeros does not depend on their derivatives.
        if constexpr (carries_derivatives<number>)
            if (elimination.is_singular())
                return number(detail::determinant_without_division(values, Eigen::Index{0}, values.rows()));
        return elimination.determinant().value();
    }
}

/// The logarithm of the determinant's absolute value, without overflow; its derivative is A^-T. With active numbers it
/// is one statement. Throws like solve().
template <class A, class Factorisation = partial_pivoting_t>
[[nodiscard]] auto log_determinant(const Eigen::MatrixBase<A>& matrix, Factorisation how = {}) {
    using T = eigen::below<A>;
    eigen::check_square(matrix, "log_determinant");
    const auto a = matrix.derived().eval();
    using plain = matrix_like<T, A>;
    const auto factors = how.factors(eigen::values_of<T>(a), "log_determinant");
    const T value(how.log_determinant(factors));
    if constexpr (expressions::is_active<typename A::Scalar> || detail::is_dual<typename A::Scalar>) {
        const plain identity = plain::Identity(a.rows(), a.cols());
        return eigen::with_derivative(
            value, a, Factorisation::by_numbers_read(plain(Factorisation::solve_transposed(factors, identity))));
    } else {
        return value;
    }
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
