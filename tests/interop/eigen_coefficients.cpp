// SPDX-License-Identifier: BSL-1.0
//
// Coefficient-wise functions, filling, comparing and printing of Eigen matrices with active and dual numbers.
#include <chainrule/interop/eigen.hpp>

#include "matrices.hpp"

#include <sstream>

using namespace matrices;

TEST_CASE("functions by coefficient", "[eigen]") {
    check_modes([](const auto& m) {
        using T = std::remove_cvref_t<decltype(m(0, 0))>;
        const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic> a = m.array(), positive = a.square() + 0.5;
        const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic> all =
            a.exp() + positive.log() + positive.sqrt() + a.sin() * a.cos() + a.tan() / positive + a.tanh() - a.abs() +
            positive.inverse() + positive.pow(1.5) + positive.pow(2) + pow(positive, a) +
#if EIGEN_VERSION_AT_LEAST(5, 0, 0) // its member function takes exponents of plain numbers only
            pow(positive, a.Constant(a.rows(), a.cols(), a(0, 0)));
#else
            positive.pow(a(0, 0));
#endif
        const T largest = a.maxCoeff(), least = a.minCoeff();
        return T(all.sum() + largest * least + (a < a(1, 1)).select(a, -2.0 * a).sum() +
                 a.max(positive).min(T(1.1)).sum());
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
    CHECK((v == v && !(v == 2.0 * v)));
    Eigen::Index at = 0;
    CHECK(v.minCoeff(&at).value() == -2.5);
    CHECK(at == 1);
    CHECK(matrix<active>::Zero(2, 2).sum().value() == 0);
    CHECK(!matrix<active>(2, 2)(0, 0).is_recorded());
    CHECK(Eigen::NumTraits<active>::epsilon().value() == Eigen::NumTraits<double>::epsilon());
    CHECK(Eigen::NumTraits<active>::highest().value() == Eigen::NumTraits<double>::highest());
    const Eigen::Matrix<active, 2, 3, Eigen::RowMajor> wide =
        tape::variables(t, Eigen::Matrix<double, 2, 3, Eigen::RowMajor>::Ones());
    CHECK(tape::values(wide * m) == Eigen::Matrix<double, 2, 3>(Eigen::Matrix<double, 2, 3>::Ones() * tape::values(m)));
}
