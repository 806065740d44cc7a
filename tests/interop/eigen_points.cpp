// SPDX-License-Identifier: BSL-1.0
//
// Eigen's vectors as points, directions and weights, whatever their elements' distance in memory. The function tells
// its variables apart, so an element read from a wrong place shows.
#include "catch.hpp"

#include <chainrule/batch/data/owners.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/eigen.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/replay.hpp>

#include <Eigen/Core>

#include <array>
#include <stdexcept>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
#if EIGEN_VERSION_AT_LEAST(5, 0, 0)
using Eigen::placeholders::all;
#else
using Eigen::all;
#endif

// Columns refuse temporary owners.
static_assert(cr::batches::owns_numbers<Eigen::VectorXd>() && cr::batches::owns_numbers<Eigen::Vector2d>());
static_assert(!cr::batches::owns_numbers<Eigen::Map<const Eigen::VectorXd>>());

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto f = x + 10_c * y + 100_c * z * z;
constexpr auto F = cr::function(f, cr::wrt(x, y, z));
constexpr auto G = cr::function(cr::vector(f, x* y* z), cr::wrt(x, y, z));

/// A value, a derivative, and a product, in whose place ever the vector stands; it holds 1, 2, 3.
template <class Point>
void check(const Point& point) {
    constexpr std::array at{1.0, 2.0, 3.0};
    CHECK(F(point) == 921);
    CHECK(F.value_and_gradient(point).gradient == std::array{1.0, 10.0, 600.0});
    CHECK(G.jvp(at, point) == G.jvp(at, at));
}
/// The same with every request, also with the vector as weights.
template <class Point>
void check_all(const Point& point) {
    check(point);
    const std::array at{1.0, 2.0, 3.0}, along{1.0, -1.0, 2.0};
    CHECK(F.gradient(point) == F.gradient(at));
    CHECK(F.hessian(point) == F.hessian(at));
    CHECK(F.value_gradient_and_hessian(point).hessian == F.hessian(at));
    CHECK(F.third_derivatives(point) == F.third_derivatives(at));
    CHECK(F.sparse_hessian(point) == F.sparse_hessian(at));
    CHECK(G(point) == std::array{921.0, 6.0});
    CHECK(G.jacobian(point) == G.jacobian(at));
    CHECK(G.value_and_jacobian(point).jacobian == G.jacobian(at));
    CHECK(G.sparse_jacobian(point) == G.sparse_jacobian(at));
    CHECK(F.jvp(point, along) == F.jvp(at, along));
    CHECK(F.hvp(point, point) == F.hvp(at, at));
    CHECK(F.vjp(point, 2.0) == F.vjp(at, 2.0));
    CHECK(F.taylor<2>(along, point) == F.taylor<2>(along, at));
    constexpr auto three = cr::function(cr::vector(x * x * z, y * x, z * y * y), cr::wrt(x, y, z));
    CHECK(three.vjp(along, point) == three.vjp(along, at));
    CHECK(three.lagrangian_hessian(along, point) == three.lagrangian_hessian(along, at));
    CHECK(three.sparse_lagrangian_hessian(point, point) == three.sparse_lagrangian_hessian(at, at));
}

Eigen::Matrix3d numbers() {
    Eigen::Matrix3d m;
    m << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    return m;
}

} // namespace

TEST_CASE("vectors of Eigen without gaps are points", "[points]") {
    const Eigen::Vector3d v(1, 2, 3);
    check_all(v);
    check(Eigen::RowVector3d(1, 2, 3));
    check(Eigen::Array3d(1, 2, 3));
    check(Eigen::VectorXd(v));
    check(v.transpose());
    check(v.array());
    check(Eigen::Map<const Eigen::Vector3d>(v.data()));
    check(Eigen::Map<const Eigen::VectorXd>(v.data(), 3));
    check(Eigen::Ref<const Eigen::VectorXd>(v));
    check(Eigen::Matrix<double, 5, 1>(9, 1, 2, 3, 9).segment<3>(1));
    check(Eigen::Vector3i(1, 2, 3));
    const Eigen::Matrix3d m = numbers().transpose();
    check(m.col(0));
    check(Eigen::MatrixXd(m).block(0, 0, 3, 2).col(0));
    STATIC_REQUIRE(std::is_same_v<decltype(F(Eigen::Vector3f())), float>);
}

TEST_CASE("vectors of Eigen with gaps are points", "[points]") {
    const Eigen::Matrix3d m = numbers();
    check(m.row(0));
    check(m.transpose().col(0));
    const Eigen::MatrixXd dynamic = m;
    check_all(dynamic.row(0));
    check(dynamic.block(0, 0, 2, 3).row(0));
    check(dynamic.block(0, 0, 3, 3).block(0, 0, 2, 3).row(0));
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> by_row = m.transpose();
    check(by_row.col(0));
    Eigen::Matrix3d diagonal = Eigen::Matrix3d::Constant(7);
    diagonal.diagonal() << 1, 2, 3;
    check(diagonal.diagonal());
    check(Eigen::MatrixXd(diagonal).diagonal());
    const double apart[] = {1, 7, 2, 7, 3};
    check(Eigen::Map<const Eigen::Vector3d, 0, Eigen::InnerStride<2>>(apart));
    check(Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>(apart, 3, Eigen::InnerStride<>(2)));
    const Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>> strided(apart, 3, Eigen::InnerStride<>(2));
    check(Eigen::Ref<const Eigen::VectorXd, 0, Eigen::InnerStride<>>(strided));
    const double backwards[] = {3, 2, 1};
    check(Eigen::Map<const Eigen::Vector3d, 0, Eigen::InnerStride<>>(backwards + 2, Eigen::InnerStride<>(-1)));
}

TEST_CASE("expressions of Eigen are points", "[points]") {
    const Eigen::Vector3d a(0.5, 1.5, 2.5), b(0.5, 0.5, 0.5);
    check_all(a + b);
    check((a + b).array());
    check((a + b).transpose());
    check(Eigen::VectorXd(a) + b);
    check(Eigen::Vector3d(3, 2, 1).reverse());
    check(Eigen::Matrix3d::Identity() * Eigen::Vector3d(1, 2, 3));
    check(Eigen::Vector3d::LinSpaced(1, 3));
    check(numbers()(0, Eigen::seq(0, 2)));
    check(numbers()(0, all).cast<int>());
}

TEST_CASE("matrices of Eigen are points in a said order", "[points]") {
    const Eigen::Matrix<double, 3, 2> m{{1, 7}, {2, 8}, {3, 9}};
    check(m.leftCols<1>());
    const Eigen::Matrix<double, 3, 1> reshaped = m.reshaped().head<3>();
    check(reshaped);
    check(m.reshaped().head<3>());
}

TEST_CASE("vectors and matrices of parameters are given vectors and matrices of Eigen", "[points]") {
    constexpr auto a = cr::variables<"a", 2>;
    constexpr auto m = cr::matrix<2>(cr::variables<"m", 4>);
    Eigen::Matrix2d matrix;
    matrix << 1, 2, 3, 4;
    const Eigen::MatrixXd of_any_size = matrix;
    auto P = cr::function(m * cr::vector(x, 2 * x) + a, cr::wrt(x), cr::given(m = matrix, a = matrix.row(1)));
    CHECK(P(1.0) == std::array{8.0, 15.0});
    P.set(m = of_any_size.transpose(), a = Eigen::VectorXd::Zero(2));
    CHECK(P(1.0) == std::array{7.0, 10.0});
    CHECK(P(x = 1.0, a = of_any_size.col(0)) == std::array{8.0, 13.0});
    CHECK_THROWS_AS(P.set(m = Eigen::MatrixXd(Eigen::MatrixXd::Zero(1, 4))), cr::wrong_size);
    CHECK_THROWS_AS(P.set(m = Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, 2))), cr::wrong_size);
}

TEST_CASE("vectors of Eigen hold numbers with derivatives", "[points]") {
    using number = cr::dual<double, 1>;
    Eigen::Matrix<number, 3, 3> m = numbers().cast<number>();
    m(0, 2) = number::variable(3.0, 0);
    CHECK(F(m.row(0)).value == 921);
    CHECK(F(m.row(0)).tangents[0] == 600);
    cr::tape::tape t;
    const auto v = cr::tape::variables(t, numbers());
    const cr::tape::active<double> result = F(v.row(0));
    t.backward(result);
    CHECK(result.value() == 921);
    CHECK(v(0, 2).gradient() == 600);
}

TEST_CASE("sweeps and Jacobians of a tape take vectors and matrices of Eigen", "[points]") {
    cr::tape::tape t;
    const auto v = t.variables({3.0, 2.0});
    const Eigen::Vector2<cr::tape::active<double>> u(v[0], v[1]);
    Eigen::Matrix2<cr::tape::active<double>> m;
    m << u[0], u[0] * u[1], u[1], 1.0; // in memory: u0, u1, u0 u1, 1
    const auto j = cr::tape::jacobian(t, m, u);
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(j(0, k) == (k == 0 ? 1 : 0));
        CHECK(j(1, k) == (k == 0 ? 0 : 1));
        CHECK(j(2, k) == (k == 0 ? 2 : 3));
        CHECK(j(3, k) == 0);
    }
    t.backward(m.col(1), Eigen::Vector2d(10, 100));
    CHECK(v[0].gradient() == 20);
    t.backward(m.diagonal(), Eigen::RowVector2d(10, 100));
    CHECK(v[0].gradient() == 10);
    CHECK(t.backward<2>(m.row(0))[v[1]] == std::array{0.0, 3.0});
    CHECK(t.backward<2>(u, Eigen::Matrix2d::Identity())[v[1]] == std::array{0.0, 1.0});
}

TEST_CASE("arguments of a function on a tape are vectors and matrices of Eigen beside numbers", "[points]") {
    const Eigen::Matrix2d a{{1.0, 2.0}, {3.0, 4.0}};
    const Eigen::Vector2d v(0.5, -1.0);
    const auto form = [](const auto& m, const auto& u, const auto& scale) {
        return std::remove_cvref_t<decltype(scale)>(scale * scale * u.dot(m * u) + m(0, 1));
    };
    const auto [by_matrix, by_vector, by_scale] = cr::tape::gradient(form, a, v, 2.0);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_matrix)>, Eigen::Matrix2d>);
    const Eigen::Matrix2d apart{{0.0, 1.0}, {0.0, 0.0}};
    CHECK(by_matrix == Eigen::Matrix2d(4.0 * v * v.transpose() + apart));
    CHECK(by_vector == Eigen::Vector2d(4.0 * (a + a.transpose()) * v));
    CHECK(by_scale == 4.0 * v.dot(a * v));
}

TEST_CASE("a vector of Eigen of the wrong size is refused", "[points]") {
    const Eigen::MatrixXd m = Eigen::MatrixXd::Ones(2, 2);
    CHECK_THROWS_AS(F(Eigen::VectorXd(Eigen::VectorXd::Ones(2))), cr::wrong_size);
    CHECK_THROWS_AS(F(m.row(0)), cr::wrong_size);
    CHECK_THROWS_AS(F(m.row(0) + m.row(1)), cr::wrong_size);
    CHECK_THROWS_AS(F.jvp(std::array{1.0, 2.0, 3.0}, m.diagonal()), cr::wrong_size);
    CHECK_THROWS_AS(G.vjp(Eigen::Vector3d::Ones(), Eigen::VectorXd::Ones(3)), cr::wrong_size);
}

TEST_CASE("results are vectors and matrices of Eigen", "[points]") {
    const Eigen::Vector3d u(1, 2, 3);
    const Eigen::Vector3d gradient = cr::as_eigen(F.gradient(u));
    CHECK(gradient == Eigen::Vector3d(1, 10, 600));
    const auto r = F.value_gradient_and_hessian(u);
    const Eigen::Matrix3d hessian = cr::as_eigen(r.hessian);
    CHECK(hessian == Eigen::Vector3d(0, 0, 200).asDiagonal().toDenseMatrix());
    CHECK(cr::as_eigen(r.gradient) == gradient);

    const auto jacobian = cr::as_eigen(G.jacobian(u));
    STATIC_REQUIRE(std::is_same_v<decltype(jacobian), const Eigen::Matrix<double, 2, 3>>);
    Eigen::Matrix<double, 2, 3> expected;
    expected << 1, 10, 600, 6, 3, 2;
    CHECK(jacobian == expected);
    CHECK(cr::as_eigen(G.value_and_jacobian(u).values) == Eigen::Vector2d(921, 6));
    CHECK(cr::as_eigen(G.jvp(u, u)) == expected * u);
    CHECK(cr::as_eigen(G.vjp(u, Eigen::Vector2d(1, 2))) == expected.transpose() * Eigen::Vector2d(1, 2));

    const auto by_name = cr::hessian(f)(x = 1.0, y = 2.0, z = 3.0);
    CHECK(cr::as_eigen(by_name.values) == hessian);
    STATIC_REQUIRE(std::is_same_v<decltype(cr::as_eigen(F.gradient(Eigen::Vector3f()))), Eigen::Vector3f>);
    const auto column = cr::as_eigen(std::array<std::array<double, 1>, 2>{{{1.0}, {2.0}}});
    CHECK(column == Eigen::Vector2d(1, 2));
    const Eigen::RowVector2d row = cr::as_eigen(std::array<std::array<double, 2>, 1>{{{1.0, 2.0}}});
    CHECK(row == Eigen::RowVector2d(1, 2));
}

TEST_CASE("derivatives on a tape are written into vectors and matrices of Eigen", "[eigen]") {
    namespace tape = cr::tape;
    const auto g = [](const auto& q) { return q(0) * q(1) + q(2) * q(2); };
    const Eigen::Vector3d at(1.0, 2.0, 3.0), expected(2.0, 1.0, 6.0);
    Eigen::VectorXd to(3), more = Eigen::VectorXd::Zero(9);
    tape::gradient(g, at, to);
    CHECK(to == expected);
    CHECK(tape::value_and_gradient(g, at, more.segment(3, 3)) == 11.0);
    tape::gradient(g, at, Eigen::Map<Eigen::VectorXd>(more.data(), 3));
    CHECK((more.head(3) == expected && more.segment(3, 3) == expected && more.tail(3).isZero()));
    auto r = tape::record(g, at);
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> hessian;
    Eigen::Ref<Eigen::VectorXd> part(more);
    CHECK(r.hessian(at, to.head<3>(), hessian) == 11.0);
    CHECK((hessian(0, 1) == 1.0 && hessian(2, 2) == 2.0 && hessian.sum() == 4.0));
    CHECK_THROWS_AS(r.gradient(at, part), std::invalid_argument);
}

TEST_CASE("a product that is one number is added to numbers with derivatives", "[eigen]") {
    namespace tape = cr::tape;
    const Eigen::Matrix2d a{{2.0, 0.5}, {0.25, 1.0}};
    const Eigen::Vector2d at(1.0, -2.0);
    const auto sum = [&](const auto& v) {
        return (v.squaredNorm() + v.transpose() * a * v) - (v.transpose() * v - v[0] * v[1]);
    };
    const Eigen::Vector2d slopes = (a + a.transpose()) * at + Eigen::Vector2d(at[1], at[0]);
    const auto found = tape::value_and_gradient(sum, at);
    CHECK(found.value == sum(at));
    const auto second = tape::hessian(sum, at);
    const auto eagerly = tape::gradient(tape::eagerly(sum), at);
    auto r = tape::record(sum, at);
    for (int i = 0; i < 2; ++i) {
        CHECK(found.gradient[i] == Approx(slopes[i]));
        CHECK(eagerly[i] == Approx(slopes[i]));
        CHECK(r.gradient(at)[i] == Approx(slopes[i]));
        for (int k = 0; k < 2; ++k)
            CHECK(second.hessian(static_cast<std::size_t>(i), static_cast<std::size_t>(k)) ==
                  Approx(a(i, k) + a(k, i) + (i == k ? 0.0 : 1.0)));
    }
}
