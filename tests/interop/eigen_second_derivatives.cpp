// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of derivatives of solves and determinants, with dual, active and replayable numbers.
#include "matrices.hpp"

#include <chainrule/tape/replay.hpp>

namespace {

using namespace matrices;

constexpr auto of_determinant = [](const auto& m) { return tape::determinant(m); };

} // namespace

TEST_CASE("derivatives of derivatives of solves, in both orders", "[eigen][solve]") {
    const vector<double> x = numbers(3, 1, 0.2), d = numbers(3, 1, 0.5), e = numbers(3, 1, 0.9);
    const auto hessian = tape::hessian(solved, x).hessian;
    const auto directional = [&](const auto& at) { return tape::jvp(solved, at, d); };
    check_close(tape::gradient(directional, x), hessian * d, 1e-10);
    const auto reverse = [](const auto& at) { return tape::gradient(solved, at); };
    check_close(tape::jvp(reverse, x, e), hessian * e, 1e-10);
}

TEST_CASE("determinants of matrices that rounding keeps from being singular", "[eigen][solve]") {
    Eigen::Matrix3d m{{.1, .2, .3}, {.4, .5, .6}, {.7, .8, .9}};
    const auto check = [&] {
        // By the numbers (i, j) and (k, l): the number in neither of their rows and columns, with its sign.
        const auto hessian = tape::hessian(of_determinant, m).hessian;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l) {
                        const bool one_line = i == k || j == l;
                        const double sign = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1) ? 1 : -1;
                        const double exact = one_line ? 0.0 : sign * m(3 - i - k, 3 - j - l);
                        CHECK(hessian(i + 3 * j, k + 3 * l) == Approx(exact).margin(1e-9));
                    }
        const auto product = [](const auto& a) { return tape::gradient(of_determinant, a)(0, 0); };
        CHECK(tape::gradient(product, m)(1, 1) == Approx(m(2, 2)));
    };
    check();
    // Beside it, where derivatives by the inverse would have half of their digits or fewer.
    for (const double distance : {1e-15, 1e-12, 1e-9, 1e-6}) {
        m(2, 2) = .9 + distance;
        check();
    }
}

TEST_CASE("determinants of singular matrices with every number", "[eigen][solve]") {
    // Its elimination meets a column of zeros before the last.
    const Eigen::Matrix3d m{{0, 1, 2}, {0, 1, 3}, {0, 5, 1}}, d = numbers(3, 3, 0.4);
    const Eigen::Matrix3d slopes{{-14, 0, 0}, {9, 0, 0}, {1, 0, 0}}; // the cofactors
    CHECK(tape::determinant(m) == 0);
    check_close(tape::gradient(of_determinant, m), slopes);
    CHECK(tape::jvp(of_determinant, m, d) == Approx(slopes.cwiseProduct(d).sum()));
    auto r = tape::record(of_determinant, m);
    check_close(r.gradient(m), slopes);
    // By the numbers of rows 1 and 2 in columns 0 and 1: the sign is that of the permutation.
    const auto hessian = tape::hessian(of_determinant, m).hessian;
    CHECK(hessian(0, 4) == Approx(1.0));
    CHECK(hessian(1, 3) == Approx(-1.0));
    check_close(r.hessian(m).hessian, hessian);
    const Eigen::Matrix4d twice = Eigen::Vector4d(1, 2, 0, 0).asDiagonal(); // no minor of 3 x 3 is regular
    const auto second = tape::hessian(of_determinant, twice);
    check_close(second.gradient, Eigen::Matrix4d::Zero());
    CHECK(second.hessian(10, 15) == Approx(2.0));
    CHECK(second.hessian(11, 14) == Approx(-2.0));
}
