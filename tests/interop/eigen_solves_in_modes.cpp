// SPDX-License-Identifier: BSL-1.0
//
// Generic functions that solve linear systems: with plain, dual, active and replayable numbers.
#include "../sentence.hpp"
#include "matrices.hpp"

#include <chainrule/tape/replay.hpp>

#include <stdexcept>

namespace {

using namespace matrices;

// Of nine numbers: solutions with one and two columns, with and without derivatives in the matrix and on the right.
constexpr auto everything = [](const auto& q) {
    using T = number_of<decltype(q)>;
    matrix3<T> a;
    for (Eigen::Index i = 0; i < 9; ++i) a.data()[i] = q(i);
    const matrix3<T> positive = a * a.transpose();
    const vector3<T> x = tape::solve(a, vector3<T>(q(0), q(4), q(7)));
    const vector3<T> y = tape::solve(Eigen::Matrix3d(regular(3, 0.7)), a.col(1));
    const Eigen::Matrix<T, 3, 2> z = tape::solve(a, Eigen::Matrix<double, 3, 2>(numbers(3, 2, 0.3)));
    const vector3<T> w = tape::solve(positive, x, tape::cholesky);
    return T(x(0) * y(2) + z(1, 1) * w(2) + tape::determinant(a) * tape::log_determinant(a) +
             tape::log_determinant(positive, tape::cholesky) + tape::inverse(a)(0, 1));
};

} // namespace

TEST_CASE("generic solves have the same value and derivatives with every number", "[eigen][solve]") {
    const vector<double> x = regular(3, 0.3).reshaped(), d = numbers(9, 1, 0.5), elsewhere = x + 0.01 * d;
    const double value = everything(x), h = 1e-6;
    const double slope = (everything(vector<double>(x + h * d)) - everything(vector<double>(x - h * d))) / (2 * h);
    const auto g = tape::value_and_gradient(everything, x);
    CHECK(g.value == Approx(value).epsilon(1e-12));
    CHECK(g.gradient.dot(d) == Approx(slope).epsilon(1e-7));
    CHECK(tape::jvp(everything, x, d) == Approx(g.gradient.dot(d)).epsilon(1e-11));

    auto r = tape::record(everything, x);
    CHECK(r(elsewhere) == Approx(everything(elsewhere)).epsilon(1e-12));
    check_close(r.gradient(elsewhere), tape::gradient(everything, elsewhere), 1e-10);
}

TEST_CASE("a recording of a solve notices that another pivot is the largest", "[eigen][solve]") {
    const vector<double> x = numbers(3, 1, 0.2), elsewhere = 30 * x;
    auto r = tape::record(solved, x);
    const vector<double> d = numbers(3, 1, 0.5);
    const double h = 1e-6;
    check_close(r.hvp(x, d), (r.gradient(x + h * d) - r.gradient(x - h * d)) / (2 * h), 1e-6);
    CHECK_THROWS_AS(r(elsewhere), tape::comparison_changed);
    r.record_when_changed();
    CHECK(r(elsewhere) == Approx(solved(elsewhere)).epsilon(1e-12));
}

TEST_CASE("solves of plain numbers", "[eigen][solve]") {
    const Eigen::Matrix2i whole{{2, 1}, {1, 2}};
    const Eigen::Vector2d x = tape::solve(whole, Eigen::Vector2i(1, 0));
    CHECK((x - Eigen::Vector2d(2.0 / 3, -1.0 / 3)).norm() < 1e-15);
    CHECK(tape::determinant(whole) == Approx(3.0));
    CHECK(tape::solve(Eigen::Matrix2f(Eigen::Matrix2f::Identity()), Eigen::Vector2f(1, 2))(1) == 2.0f);
    CHECK(sentence_of([&] { (void)tape::inverse(Eigen::Matrix2d(Eigen::Matrix2d::Ones())); }) ==
          "inverse: the matrix is singular; check that its rows are independent");
    CHECK_THROWS_AS((void)tape::solve(Eigen::Matrix2d(-Eigen::Matrix2d::Identity()), x, tape::cholesky),
                    std::domain_error);
}
