// SPDX-License-Identifier: BSL-1.0
//
// Products and sums of Eigen matrices with active and dual numbers.
#include <chainrule/interop/eigen.hpp>

#include "matrices.hpp"

using namespace matrices;

TEST_CASE("matrix products and sums", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const matrix<T> product = m * m.transpose();
        const matrix3<T> fixed = m, twice = fixed * fixed;
        const vector3<T> x = fixed.col(1), y = fixed * x;
        const vector<T> u = m * m.col(0), w = m.transpose() * u;
        const T quadratic = x.transpose() * fixed * y;
        return T(product.sum() + twice.trace() + x.dot(y) + u.norm() + w.squaredNorm() + quadratic +
                 fixed.row(2).sum() + twice.cwiseProduct(fixed).mean() + fixed.block(0, 1, 2, 2).prod() +
                 (fixed * y.template head<3>()).sum());
    });
}

TEST_CASE("plain numbers beside those with derivatives", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const matrix<double> plain = numbers(3, 3, 0.8);
        const matrix3<T> fixed = m, cast = plain.cast<T>();
        matrix<T> sum = 2.0 * m + m * 3 - m / 4.0f + plain - 2 * plain.cwiseProduct(m);
        sum += plain;
        sum *= 1.5;
        sum /= 2;
        const T c = m(1, 1);
        const matrix<T> products = plain * m + m * plain,
                        scaled = c * m + m * (c * c) + (c + 1.0) * m + m / c + c * plain;
        const vector3<T> x = fixed * Eigen::Vector3d(1, 2, 3);
        return T(sum.squaredNorm() + products.sum() + scaled.norm() + x.dot(Eigen::Vector3d(3, 1, 2)) +
                 (cast * fixed).sum());
    });
}
