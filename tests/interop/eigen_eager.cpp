// SPDX-License-Identifier: BSL-1.0
//
// Algorithms of Eigen that take numbers, not formulas, differentiated with eager numbers.
#include "../catch.hpp"

#include <chainrule/interop/eigen.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>

#include <unsupported/Eigen/MatrixFunctions>

#include <array>
#include <cmath>
#include <type_traits>

namespace {

namespace tape = chainrule::tape;

template <class X>
using number_of = typename std::remove_cvref_t<X>::Scalar;

/// A derivative by differences.
template <class F>
double slope(const F& f, const Eigen::VectorXd& x, Eigen::Index i) {
    const double h = 1e-5;
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(x.size(), i);
    return (f(Eigen::VectorXd(x + step)) - f(Eigen::VectorXd(x - step))) / (2 * h);
}
template <class F>
void check_gradient(const F& f, const Eigen::VectorXd& x) {
    const auto found = tape::value_and_gradient(tape::eagerly(f), x);
    CHECK(found.value == Approx(f(x)).epsilon(1e-13));
    for (Eigen::Index i = 0; i < x.size(); ++i) CHECK(found.gradient[i] == Approx(slope(f, x, i)).epsilon(1e-6));
}

/// A matrix of four numbers, far from singular.
template <class X>
auto matrix(const X& x) {
    Eigen::Matrix<number_of<X>, 2, 2> a;
    a << x[0] + 3.0, x[1], x[2], x[3] - 4.0;
    return a;
}
const Eigen::VectorXd at = Eigen::Vector4d(0.5, -1.0, 1.5, 0.75);

} // namespace

TEST_CASE("the exponential of a matrix of eager numbers", "[eigen]") {
    check_gradient([](const auto& x) { return matrix(x).exp().eval().squaredNorm(); }, at);
    // d/dt exp(t A) = A exp(t A)
    const auto flow = [](const auto& t) { return (t[0] * matrix(at)).exp().eval(); };
    const auto j = tape::jacobian(tape::eagerly(flow), Eigen::Matrix<double, 1, 1>(0.75));
    const Eigen::Matrix2d expected = matrix(at) * flow(std::array{0.75});
    for (Eigen::Index i = 0; i < 4; ++i) CHECK(j(i, 0) == Approx(expected(i % 2, i / 2)).epsilon(1e-12));
}

TEST_CASE("decompositions of matrices of eager numbers", "[eigen]") {
    check_gradient(
        [](const auto& x) {
            using T = number_of<decltype(x)>;
            const Eigen::Matrix<T, 2, 1> b(x[0] * x[1], x[2]);
            return Eigen::Matrix<T, 2, 1>(matrix(x).partialPivLu().solve(b)).sum();
        },
        at);
    check_gradient(
        [](const auto& x) {
            using T = number_of<decltype(x)>;
            const Eigen::Matrix<T, 2, 1> b(x[0] * x[1], x[2]);
            return Eigen::Matrix<T, 2, 1>(matrix(x).colPivHouseholderQr().solve(b)).prod();
        },
        at);
    check_gradient([](const auto& x) { return (matrix(x) * matrix(x).transpose()).inverse().trace(); }, at);
}

TEST_CASE("matrices of eager numbers beside plain ones", "[eigen]") {
    const Eigen::Matrix2d plain{{1.0, 2.0}, {3.0, 4.0}};
    check_gradient(
        [&](const auto& x) {
            const auto a = matrix(x);
            using matrix_type = std::remove_const_t<decltype(a)>;
            const matrix_type b = 2.0 * (plain * a) + a * plain + a.cwiseProduct(plain) / 3.0 - a * x[0];
            return b.array().sin().sum() + b.maxCoeff() + (b.array() < 1.0).select(b, -b).sum();
        },
        at);
    const Eigen::Vector3d x(1.0, 2.0, 3.0);
    const auto energy = [](const auto& v) { return v.dot(v) * v.sum() + exp(v[0]); };
    const Eigen::Matrix3d h = tape::hessian(tape::eagerly(energy), x).hessian;
    CHECK(h(0, 1) == Approx(2.0 * (1.0 + 2.0)).epsilon(1e-13));
    CHECK(h(0, 0) == Approx(2.0 * 6.0 + 4.0 + std::exp(1.0)).epsilon(1e-13));
}
