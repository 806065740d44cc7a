// SPDX-License-Identifier: BSL-1.0
//
// Which matrices do the tests with Eigen compute with, and when are two the same?
#pragma once

#include <chainrule/interop/eigen.hpp>

#include "../catch.hpp"

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
inline matrix<double> regular(Eigen::Index n, double seed) { return numbers(n, n, seed) + 2.0 * matrix<double>::Identity(n, n); }

inline void check_close(const matrix<double>& found, const matrix<double>& expected, double tolerance = 1e-12) {
    REQUIRE(found.rows() == expected.rows());
    REQUIRE(found.cols() == expected.cols());
    for (Eigen::Index j = 0; j < found.cols(); ++j)
        for (Eigen::Index i = 0; i < found.rows(); ++i) {
            INFO("row " << i << ", column " << j);
            CHECK(found(i, j) == Approx(expected(i, j)).epsilon(tolerance).margin(tolerance));
        }
}

} // namespace matrices
