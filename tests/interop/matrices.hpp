// SPDX-License-Identifier: BSL-1.0
//
// For tests with Eigen: matrices, their comparison, and a check that reverse and forward mode agree on functions of
// them.
#pragma once

#include <chainrule/interop/eigen.hpp>

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <cmath>

namespace matrices {

namespace cr = chainrule;
namespace tape = chainrule::tape;

using active = tape::active<double>;
template <class T>
using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using matrix3 = Eigen::Matrix<T, 3, 3>;
template <class T>
using vector3 = Eigen::Matrix<T, 3, 1>;

/// Numbers without pattern in (-1, 1).
inline matrix<double> numbers(Eigen::Index rows, Eigen::Index columns, double seed) {
    matrix<double> m(rows, columns);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = std::sin(seed + 17.3 * static_cast<double>(i * i + 1));
    return m;
}
inline matrix<double> regular(Eigen::Index n, double seed) {
    return numbers(n, n, seed) + 2.0 * matrix<double>::Identity(n, n);
}

/// The type of the numbers of a vector.
template <class V>
using number_of = std::remove_cvref_t<decltype(std::declval<const V&>()(0))>;

/// Of three numbers, which are a row of a matrix and the right-hand side: a number of the solution, times the
/// determinant.
inline constexpr auto solved = [](const auto& q) {
    using T = number_of<decltype(q)>;
    matrix<T> a = regular(3, 0.1).cast<T>();
    a.row(1) = q.transpose();
    return T(tape::solve(a, vector<T>(q))(0) * tape::determinant(a));
};

inline void check_close(const matrix<double>& found, const matrix<double>& expected, double tolerance = 1e-12) {
    REQUIRE(found.rows() == expected.rows());
    REQUIRE(found.cols() == expected.cols());
    for (Eigen::Index j = 0; j < found.cols(); ++j)
        for (Eigen::Index i = 0; i < found.rows(); ++i) {
            INFO("row " << i << ", column " << j);
            CHECK(found(i, j) == Approx(expected(i, j)).epsilon(tolerance).margin(tolerance));
        }
}

/// The derivative of f with respect to each number of a 3 by 3 matrix, by forward mode.
template <class F>
matrix<double> forward(F f, const matrix<double>& at) {
    using number = cr::dual<double, 9>;
    matrix<number> m(3, 3);
    for (Eigen::Index i = 0; i < 9; ++i) m.data()[i] = number::variable(at.data()[i], static_cast<std::size_t>(i));
    const number y = f(m);
    return Eigen::Map<const matrix<double>>(y.tangents.data(), 3, 3);
}
/// The same by a tape.
template <class F>
matrix<double> backward(F f, const matrix<double>& at) {
    tape::tape t;
    const matrix<active> m = tape::variables(t, at);
    t.backward(f(m));
    return tape::gradients(m);
}
/// The same by differences.
template <class F>
matrix<double> differences(F f, matrix<double> at) {
    constexpr double h = 1e-6;
    matrix<double> result(at.rows(), at.cols());
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        const double x = at.data()[i];
        at.data()[i] = x + h;
        const double above = f(at);
        at.data()[i] = x - h;
        result.data()[i] = (above - f(at)) / (2 * h);
        at.data()[i] = x;
    }
    return result;
}
template <class F>
void check_modes(F f) {
    const matrix<double> at = regular(3, 0.3);
    const matrix<double> expected = forward(f, at);
    check_close(backward(f, at), expected);
    check_close(differences(f, at), expected, 1e-7);
}

} // namespace matrices
