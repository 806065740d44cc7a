// SPDX-License-Identifier: BSL-1.0
//
// Sums over the rows of Eigen matrices and vectors.
#include "catch.hpp"

#include <Eigen/Core>
#include <chainrule/batch.hpp>
#include <chainrule/interop/eigen.hpp>

#include <array>
#include <string>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variables<"x", 3>;
constexpr auto w = cr::variables<"w", 3>;
constexpr auto y = cr::variable<"y">;
constexpr auto f = y * dot(w, x);

template <class Matrix>
Matrix filled(Eigen::Index rows, Eigen::Index columns) {
    Matrix all(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) all(i, j) = static_cast<double>(100 * i + j);
    return all;
}

} // namespace

TEST_CASE("the rows of an Eigen matrix are data, however it is stored") {
    using by_rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::MatrixXd features = filled<Eigen::MatrixXd>(37, 3), wide = filled<Eigen::MatrixXd>(74, 5);
    const by_rows rows = features;
    const Eigen::VectorXd labels = Eigen::VectorXd::LinSpaced(37, 1.0, 37.0);
    const Eigen::Vector3d at(1.0, 2.0, 3.0);
    const Eigen::Vector3d expected = features.transpose() * labels;
    const auto check = [&](const auto& data, const Eigen::Vector3d& gradient) {
        const auto found = cr::sum(f, data, cr::wrt(w)).value_and_gradient(at);
        CHECK(found.value == gradient.dot(at));
        for (std::size_t j = 0; j < 3; ++j) CHECK(found.gradient[j] == gradient[static_cast<Eigen::Index>(j)]);
    };
    check(cr::over(x = features, y = labels), expected);
    check(cr::over(x = rows, y = labels), expected);
    check(cr::over(x = wide.block(0, 1, 37, 3), y = labels), wide.block(0, 1, 37, 3).transpose() * labels);
    const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, 2>> every_other(
        wide.data(), 37, 3, Eigen::Stride<Eigen::Dynamic, 2>(74, 2));
    check(cr::over(x = every_other, y = labels), every_other.transpose() * labels);
    check(cr::over(y = labels, x = features), expected);
}

TEST_CASE("columns may be rows of a matrix, or lie at a distance") {
    const Eigen::MatrixXd table = filled<Eigen::MatrixXd>(4, 37);
    constexpr auto a = cr::variable<"a">;
    const double sum = table.row(2).sum();
    CHECK(cr::sum(a * y, cr::over(y = table.row(2)), cr::wrt(a))(1.0) == sum);
    CHECK(cr::sum(a * y, cr::over(y = cr::column(table.data() + 2, 37, 4)), cr::wrt(a))(1.0) == sum);
    std::vector<double> slopes(37);
    CHECK(cr::sum(y * y, cr::over(y = table.row(2))).value_and_column_gradient(y, slopes) ==
          table.row(2).squaredNorm());
    CHECK(slopes[5] == 2 * table(2, 5));
}

TEST_CASE("a matrix is one column if its numbers are the same distance apart, and results are in order") {
    Eigen::MatrixXd table = filled<Eigen::MatrixXd>(4, 6);
    using by_rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const by_rows rows = table;
    const auto sum_of = [](const auto& numbers) { return cr::sum(1.0 * y, cr::over(y = numbers))(); };
    CHECK(sum_of(table) == table.sum());
    CHECK(sum_of(table.block(0, 1, 4, 3)) == table.block(0, 1, 4, 3).sum());
    CHECK(sum_of(table.block(1, 2, 1, 3)) == table.block(1, 2, 1, 3).sum());
    CHECK(sum_of(table.block(1, 2, 3, 1)) == table.block(1, 2, 3, 1).sum());
    CHECK(sum_of(rows.block(1, 2, 3, 1)) == table.block(1, 2, 3, 1).sum());
    const std::string sentence = ": a column is a matrix of Eigen whose numbers, column by column, are not the same "
                                 "distance apart; pass a column or a row of it, or a vector with its numbers";
    CHECK_THROWS_WITH(sum_of(table.topRows(2)), "over" + sentence);
    CHECK_THROWS_WITH(sum_of(rows), "over" + sentence);
    constexpr auto a = cr::variable<"a">;
    std::vector<double> others(8), values(8);
    const auto both = cr::batch(cr::function(y + a, cr::wrt(y, a)));
    CHECK_THROWS_WITH(both.values(cr::columns(table.topRows(2).leftCols(4), others), values), "columns" + sentence);
    const auto squares = cr::sum(y * y, cr::over(y = table.row(2).head(3)));
    Eigen::MatrixXd results = Eigen::MatrixXd::Constant(3, 3, -1.0);
    CHECK(squares.value_and_column_gradient(y, results.col(1)) == table.row(2).head(3).squaredNorm());
    CHECK((results.col(1) == 2.0 * table.row(2).head(3).transpose() && results(0, 2) == -1.0));
    CHECK_THROWS_WITH(
        squares.value_and_column_gradient(y, results.row(1)),
        "value_and_column_gradient: the numbers of the matrix for the results are not in order in memory; "
        "pass a vector, a std::span, or a matrix that is stored row by row");
    constexpr auto b = cr::variable<"b">;
    const auto residuals = cr::residuals(a * y + b, cr::over(y = table.row(2).head(3)), cr::wrt(a, b));
    by_rows jacobian(3, 2), other(2, 3);
    residuals.jacobian(std::array{1.0, 2.0}, jacobian);
    CHECK((jacobian.col(0) == table.row(2).head(3).transpose() && jacobian.col(1) == Eigen::Vector3d::Ones()));
    CHECK_THROWS_AS(residuals.jacobian(std::array{1.0, 2.0}, other), cr::bad_data);
    Eigen::MatrixXd by_columns(3, 2);
    CHECK_THROWS_AS(residuals.jacobian(std::array{1.0, 2.0}, by_columns), cr::bad_data);
}
