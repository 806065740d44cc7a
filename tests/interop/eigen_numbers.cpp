// SPDX-License-Identifier: BSL-1.0
//
// Do Eigen's matrices compute with active and dual numbers? Reverse and forward mode run the same functions here and
// check each other.
#include <chainrule/interop/eigen.hpp>
#include <chainrule/interop/eigen.hpp>

#include "matrices.hpp"

#include <sstream>

namespace {

using namespace matrices;

/// The derivative of f by each number of a 3 by 3 matrix, by forward mode.
template <class F>
matrix<double> forward(F f, const matrix<double>& at) {
    using number = cr::dual<double, 9>;
    matrix<number> m(3, 3);
    for (Eigen::Index i = 0; i < 9; ++i) m.data()[i] = number::variable(at.data()[i], static_cast<std::size_t>(i));
    const number y = f(m);
    return Eigen::Map<const matrix<double>>(y.tangents.data(), 3, 3);
}
/// The same by a tape.
template <class F>
matrix<double> backward(F f, const matrix<double>& at) {
    tape::tape t;
    const matrix<active> m = tape::variables(t, at);
    t.backward(f(m));
    return tape::gradients(m);
}
/// The same by differences.
template <class F>
matrix<double> differences(F f, matrix<double> at) {
    constexpr double h = 1e-6;
    matrix<double> result(at.rows(), at.cols());
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        const double x = at.data()[i];
        at.data()[i] = x + h;
        const double above = f(at);
        at.data()[i] = x - h;
        result.data()[i] = (above - f(at)) / (2 * h);
        at.data()[i] = x;
    }
    return result;
}
template <class F>
void check_modes(F f) {
    const matrix<double> at = regular(3, 0.3);
    const matrix<double> expected = forward(f, at);
    check_close(backward(f, at), expected);
    check_close(differences(f, at), expected, 1e-7);
}

} // namespace

TEST_CASE("matrix products and sums", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const matrix<T> product = m * m.transpose();
        const matrix3<T> fixed = m, twice = fixed * fixed;
        const vector3<T> x = fixed.col(1), y = fixed * x;
        const vector<T> u = m * m.col(0), w = m.transpose() * u;
        const T quadratic = x.transpose() * fixed * y;
        return T(product.sum() + twice.trace() + x.dot(y) + u.norm() + w.squaredNorm() + quadratic + fixed.row(2).sum() +
                 twice.cwiseProduct(fixed).mean() + fixed.block(0, 1, 2, 2).prod());
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
        const matrix<T> products = plain * m + m * plain, scaled = c * m + m * (c * c) + (c + 1.0) * m + m / c + c * plain;
        const vector3<T> x = fixed * Eigen::Vector3d(1, 2, 3);
        return T(sum.squaredNorm() + products.sum() + scaled.norm() + x.dot(Eigen::Vector3d(3, 1, 2)) + (cast * fixed).sum());
    });
}

TEST_CASE("functions by coefficient", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic> a = m.array(), positive = a.square() + 0.5;
        const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic> all =
            a.exp() + positive.log() + positive.sqrt() + a.sin() * a.cos() + a.tan() / positive + a.tanh() - a.abs() +
            positive.inverse() + positive.pow(1.5) + positive.pow(2) + positive.pow(a(0, 0)) + pow(positive, a);
        const T largest = a.maxCoeff(), least = a.minCoeff();
        return T(all.sum() + largest * least + (a < a(1, 1)).select(a, -2.0 * a).sum() + a.max(positive).min(T(1.1)).sum());
    });
}

TEST_CASE("filling, comparing and printing", "[eigen]") {
    tape::tape t;
    const active x = t.variable(2.0), y = t.variable(3.0);
    matrix3<active> m;
    m << x, x * y, 1, 2.5, -y, x + 1.0, 0, 0.0f, sin(x);
    CHECK(m(0, 1).value() == 6);
    t.backward(m(0, 1));
    CHECK(x.gradient() == 3);
    const vector<active> v = tape::variables(t, vector<double>{{1.0, -2.5}});
    std::ostringstream out;
    out << v.transpose();
    CHECK(out.str() == "   1 -2.5");
    CHECK(m.isApprox(m));
    CHECK(!m.isApprox(m.transpose()));
    CHECK(matrix3<active>::Identity().isIdentity());
    CHECK(m.allFinite());
    CHECK((v.array() < x).all());
    CHECK((x > v.array()).all());
    CHECK(v == v);
    Eigen::Index at = 0;
    CHECK(v.minCoeff(&at).value() == -2.5);
    CHECK(at == 1);
    CHECK(matrix<active>::Zero(2, 2).sum().value() == 0);
    CHECK(!matrix<active>(2, 2)(0, 0).is_recorded());
    CHECK(Eigen::NumTraits<active>::epsilon().value() == Eigen::NumTraits<double>::epsilon());
    CHECK(Eigen::NumTraits<active>::highest().value() == Eigen::NumTraits<double>::highest());
    const Eigen::Matrix<active, 2, 3, Eigen::RowMajor> wide = tape::variables(t, Eigen::Matrix<double, 2, 3, Eigen::RowMajor>::Ones());
    CHECK(tape::values(wide * m) == Eigen::Matrix<double, 2, 3>(Eigen::Matrix<double, 2, 3>::Ones() * tape::values(m)));
}

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
