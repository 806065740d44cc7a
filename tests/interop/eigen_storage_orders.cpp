// SPDX-License-Identifier: BSL-1.0
//
// Matrices of Eigen that are stored row by row, and expressions such as transposes, beside those that are stored column
// by column: the numbers of all are in order column by column, and an element is that in the same row and column.
#include "catch.hpp"

#include <chainrule/interop/eigen.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <Eigen/Dense>

#include <array>
#include <stdexcept>
#include <type_traits>

namespace {

namespace tape = chainrule::tape;
using by_rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr auto f = [](const auto& m) {
    std::remove_cvref_t<decltype(m(0, 0))> s = m(0, 0) + 10.0 * m(0, 1) * m(0, 1) + 100.0 * m(1, 0) + m(1, 2) * m(0, 1);
    return s;
};
constexpr auto transposed = [](const auto& m) { return m.transpose().eval(); };

const Eigen::MatrixXd x{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
const Eigen::MatrixXd slopes{{1.0, 46.0, 0.0}, {100.0, 0.0, 2.0}};
const by_rows direction{{0.5, -1.0, 2.0}, {3.0, 0.25, -2.0}};
const double along = slopes.cwiseProduct(direction).sum();

// H times the direction: f has 20 at (0, 1) twice, and 1 between (0, 1) and (1, 2).
const Eigen::MatrixXd curved{{0.0, 20.0 * -1.0 - 2.0, 0.0}, {0.0, 0.0, -1.0}};

// The directions in all orders.
template <class Check>
void each_direction(Check check) {
    check(direction);
    check(Eigen::MatrixXd(direction));
    check(by_rows(direction.transpose()).transpose());
    check(Eigen::MatrixXd(direction.transpose()).transpose());
    check(0.5 * (direction + direction));
}

} // namespace

TEST_CASE("gradients, and products with directions, do not depend on how matrices are stored", "[eigen][points]") {
    const auto check_point = [](const auto& at) {
        CHECK(tape::gradient(f, at) == slopes);
        auto r = tape::record(f, at);
        CHECK(r.gradient(at) == slopes);
        CHECK(r(x) == f(x));
        CHECK(r(by_rows(x)) == f(x));
        CHECK(r(Eigen::MatrixXd(x.transpose()).transpose()) == f(x));
        Eigen::VectorXd to(1), list(6);
        each_direction([&](const auto& d) {
            CHECK(tape::jvp(f, at, d) == along);
            CHECK(r.jvp(at, d) == along);
            CHECK(tape::hvp(f, at, d) == curved);
            CHECK(r.hvp(at, d) == curved);
            tape::jvp(f, at, d, to);
            CHECK(to[0] == along);
            r.jvp(at, d, to);
            CHECK(to[0] == along);
            r.hvp(at, d, list);
            CHECK(list == curved.reshaped());
        });
        tape::gradient(f, at, list);
        CHECK(list == slopes.reshaped());
        CHECK_THROWS_AS(tape::jvp(f, at, direction.transpose()), std::invalid_argument);
        CHECK_THROWS_AS(r.jvp(at, direction.transpose()), std::invalid_argument);
    };
    check_point(x);
    check_point(by_rows(x));
    check_point(Eigen::MatrixXd(x.transpose()).transpose());
}

TEST_CASE("results and weights that are matrices do not depend on how they are stored", "[eigen][points]") {
    // Column by column, x(i, j) is number i + 2 j, and the same element of the transpose number j + 3 i.
    Eigen::MatrixXd permutation = Eigen::MatrixXd::Zero(6, 6);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) permutation(j + 3 * i, i + 2 * j) = 1;
    const auto check_point = [&](const auto& at) {
        CHECK(tape::jacobian(transposed, at) == permutation);
        auto r = tape::record(transposed, at);
        CHECK(r(at) == x.transpose());
        CHECK(r.jacobian(at) == permutation);
        by_rows to(6, 6);
        tape::jacobian(transposed, at, to);
        CHECK(to == permutation);
        const Eigen::MatrixXd weights = direction.transpose();
        CHECK(tape::vjp(transposed, at, weights) == direction);
        CHECK(tape::vjp(transposed, at, by_rows(weights)) == direction);
        CHECK(tape::vjp(transposed, at, direction.transpose()) == direction);
        CHECK(r.vjp(at, direction.transpose()) == direction);
        tape::tape t;
        const auto v = tape::variables(t, at);
        const auto y = transposed(v);
        t.backward(y, direction.transpose());
        CHECK(tape::gradients(v) == direction);
        t.backward(y, weights);
        CHECK(tape::gradients(v) == direction);
    };
    check_point(x);
    check_point(by_rows(x));
}

TEST_CASE("memory that is a matrix has the shape of the result", "[eigen][points]") {
    const Eigen::VectorXd at{{1.0, 2.0}};
    const auto three = [](const auto& v) {
        using number = std::remove_cvref_t<decltype(v[0])>;
        return std::array<number, 3>{v[0] * v[1], v[0] + v[1], v[0] * v[0] * v[0]};
    };
    auto r = tape::record(three, at);
    by_rows right(3, 2), wrong(2, 3);
    tape::jacobian(three, at, right);
    CHECK(right == by_rows{{2.0, 1.0}, {1.0, 1.0}, {3.0, 0.0}});
    CHECK_THROWS_WITH(tape::jacobian(three, at, wrong),
                      "jacobian: the memory is a matrix of 2 x 3 and the result one of 3 x 2; pass a matrix of its "
                      "shape, a vector or a std::span");
    CHECK_THROWS_AS(r.jacobian(at, wrong), std::invalid_argument);
    by_rows same(2, 3), row(1, 6);
    CHECK_THROWS_WITH(
        tape::gradient(f, x, same),
        "gradient: the memory is a matrix of 2 x 3 and the result a list of 6 numbers; pass a vector or a "
        "std::span");
    tape::gradient(f, x, row);
    CHECK(row.transpose() == slopes.reshaped());
}
