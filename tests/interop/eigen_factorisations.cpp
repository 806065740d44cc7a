// SPDX-License-Identifier: BSL-1.0
//
// Eigen's substitutions and factorisations with active and dual numbers.
#include <chainrule/interop/eigen.hpp>

#include "matrices.hpp"

using namespace matrices;

TEST_CASE("a zero in a substitution has a derivative", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        // The second unknown is zero; the numbers below depend on its derivative.
        vector<T> right(3);
        right << m(0, 0), m(1, 0), 1.0;
        const vector<T> x = m.template triangularView<Eigen::Lower>().solve(right);
        const matrix<T> by_rows = m.transpose();
        const vector<T> y = by_rows.transpose().template triangularView<Eigen::UnitUpper>().solve(right);
        return T(x(2) * x(1) + x(2) + 2.0 * y.sum());
    });
}

TEST_CASE("Eigen's factorisations of active matrices", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const matrix<T> square = m * m.transpose();
        const vector<T> b = m.col(2);
        return T(m.partialPivLu().solve(b).sum() + square.llt().solve(b).squaredNorm() + matrix3<T>(m).inverse().sum());
    });
}
