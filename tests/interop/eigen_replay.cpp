// SPDX-License-Identifier: BSL-1.0
//
// Functions of Eigen's vectors and matrices, recorded once and replayed.
#include "../catch.hpp"

#include <chainrule/interop/eigen.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace {

namespace tape = chainrule::tape;

constexpr auto energy = [](const auto& x) {
    using T = typename std::remove_cvref_t<decltype(x)>::Scalar;
    return T(x.dot(x) * x.sum() + exp(x[0]));
};

} // namespace

TEST_CASE("a function of a vector of Eigen is replayed", "[eigen]") {
    const Eigen::Vector3d start(1.0, 2.0, 3.0), x(0.5, -1.0, 2.0);
    auto r = tape::record(energy, start);
    CHECK(r(x) == energy(x));
    const Eigen::Vector3d g = r.gradient(x), expected = tape::gradient(energy, x);
    CHECK((g - expected).norm() < 1e-13);
    const Eigen::Matrix3d h = r.hessian(x).hessian;
    CHECK((h - tape::hessian(energy, x).hessian).norm() < 1e-12);
    CHECK((r.hvp(x, start) - h * start).norm() < 1e-12);
    const Eigen::VectorXd dynamic = x;
    CHECK((Eigen::VectorXd(r.gradient(dynamic)) - g).norm() == 0.0);
    CHECK((r.gradient(Eigen::Vector3d(2.0 * start - start)) - tape::gradient(energy, start)).norm() < 1e-12);
}

TEST_CASE("a function that returns a matrix of Eigen is replayed", "[eigen]") {
    const auto square = [](const auto& a) { return std::remove_cvref_t<decltype(a)>(a * a); };
    auto r = tape::record(square, Eigen::Matrix2d(Eigen::Matrix2d::Identity()));
    const Eigen::Matrix2d a{{1.0, 2.0}, {3.0, 4.0}};
    CHECK(r(a) == a * a);
    const Eigen::Matrix4d j = r.jacobian(a);
    CHECK((j - tape::jacobian(square, a)).norm() < 1e-13);
}
