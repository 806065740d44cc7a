// SPDX-License-Identifier: BSL-1.0
//
// batch(F) with Eigen: vectors as columns, strided ones too, and matrices whose rows are the points.
#include "catch.hpp"

#include <chainrule/batch.hpp>

#include <Eigen/Core>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(exp(-x) * y + x / y, cr::wrt(x, y));
constexpr int n = 21;

Eigen::MatrixXd points() {
    Eigen::MatrixXd all(n, 2);
    for (int i = 0; i < n; ++i) all.row(i) << 0.25 * i, 1.0 + 0.125 * i;
    return all;
}
void check(const Eigen::MatrixXd& at, const Eigen::MatrixXd& gradient) {
    // The derivative with respect to x is a difference of numbers of at most 4.
    const auto near = [](double number) { return Approx(number).epsilon(1e-14).margin(1e-14); };
    for (int i = 0; i < n; ++i) {
        const auto expected = F.gradient(at(i, 0), at(i, 1));
        CHECK(gradient(i, 0) == near(expected[0]));
        CHECK(gradient(i, 1) == near(expected[1]));
    }
}

} // namespace

TEST_CASE("batch: columns that are Eigen vectors", "[batch]") {
    const Eigen::MatrixXd at = points();
    const auto b = cr::batch(F);
    Eigen::VectorXd by_x(n);
    Eigen::MatrixXd table = Eigen::MatrixXd::Zero(3, n);
    b.gradient(cr::columns(at.col(0), at.col(1)), cr::columns(by_x, table.row(1)));
    Eigen::MatrixXd gradient(n, 2);
    gradient << by_x, table.row(1).transpose();
    check(at, gradient);
    CHECK(table.row(0).isZero());
    CHECK(table.row(2).isZero());
    const auto named = b.gradient(cr::columns(y = cr::column(at.col(1)), x = cr::column(at.col(0))));
    for (int i = 0; i < n; ++i) CHECK(named(static_cast<std::size_t>(i), 0) == gradient(i, 0));
}

TEST_CASE("batch: matrices by column and by row", "[batch]") {
    const Eigen::MatrixXd by_column = points();
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_row = by_column;
    const auto b = cr::batch(F);
    Eigen::MatrixXd gradient(n, 2);
    b.gradient(by_column, gradient);
    check(by_column, gradient);
    gradient.setZero();
    b.gradient(cr::rows(by_row), gradient);
    check(by_column, gradient);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> to(n, 4);
    b.gradient(cr::columns(by_row), to.middleCols(1, 2));
    check(by_column, to.middleCols(1, 2));
}
