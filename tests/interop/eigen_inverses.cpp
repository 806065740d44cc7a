// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of inverses and determinants without recording the elimination; solves in other number types, and their
// error messages.
#include "../sentence.hpp"
#include "matrices.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace matrices;

} // namespace

TEST_CASE("inverse, determinant and its logarithm", "[eigen][solve]") {
    const matrix<double> a = regular(4, 0.8), weights = numbers(4, 4, 0.9);
    tape::tape t;
    const matrix<active> A = tape::variables(t, a);
    const matrix<double> inverse = a.inverse();
    t.backward(active(tape::inverse(A).cwiseProduct(weights).sum()));
    check_close(tape::gradients(A), -inverse.transpose() * weights * inverse.transpose());
    t.backward(tape::determinant(A));
    check_close(tape::gradients(A), a.determinant() * inverse.transpose());
    CHECK(tape::determinant(A).value() == Approx(a.determinant()).epsilon(1e-14));
    t.backward(tape::log_determinant(-A));
    check_close(tape::gradients(A), inverse.transpose());

    // Without an inverse: the cofactors.
    matrix<double> s(3, 3);
    s << 1, 2, 3, 2, 4, 6, 1, 0, 1;
    const matrix<active> S = tape::variables(t, s);
    const active zero = tape::determinant(S);
    CHECK(zero.value() == 0);
    t.backward(zero);
    matrix<double> expected(3, 3);
    expected << 4, 4, -4, -2, -2, 2, 0, 0, 0;
    check_close(tape::gradients(S), expected);
    const active none = tape::determinant(matrix<active>(0, 0));
    CHECK(none.value() == 1);
    const Eigen::Matrix<active, 1, 1> one = tape::variables(t, Eigen::Matrix<double, 1, 1>::Zero());
    t.backward(tape::determinant(one));
    CHECK(one(0, 0).gradient() == 1);
}

TEST_CASE("derivatives of a determinant that is beyond the numbers are not lost", "[eigen][solve]") {
    tape::tape t;
    const auto slopes = [&](const matrix<double>& m) {
        const matrix<active> M = tape::variables(t, m);
        const active d = tape::determinant(M);
        t.backward(d);
        return std::pair(d.value(), matrix<double>(tape::gradients(M)));
    };
    CHECK(slopes(Eigen::Matrix2d{{1e-200, 0}, {0, 1e-200}}).second(0, 0) == Approx(1e-200).epsilon(1e-14));
    CHECK(slopes(Eigen::Matrix2d{{0, 1e-200}, {1e-310, 0}}).second(1, 0) == Approx(-1e-200).epsilon(1e-14));
    CHECK(slopes(Eigen::Matrix2d{{1e200, 0}, {0, 2e200}}).second(1, 1) == Approx(1e200).epsilon(1e-14));
    const auto [value, by] = slopes(Eigen::Matrix3d{{1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1e-300}});
    CHECK(value == Approx(1e100).epsilon(1e-14));
    CHECK(by(0, 0) == Approx(1e-100).epsilon(1e-14));
    CHECK(std::isinf(by(2, 2)));
    // Singular, and its minors underflow on the way.
    CHECK(slopes(Eigen::Matrix4d{{0, 0, 0, 0}, {0, 1e-200, 0, 0}, {0, 0, 1e-200, 0}, {0, 0, 0, 1e300}}).second(0, 0) ==
          Approx(1e-100).epsilon(1e-14));

    tape::basic_tape<float> single;
    const auto F = tape::variables(single, Eigen::Matrix2f{{1e-30f, 0}, {0, 1e-30f}});
    single.backward(tape::determinant(F));
    CHECK(F(0, 0).gradient() == Approx(1e-30f).epsilon(1e-6));

    const auto h =
        tape::hessian([](const auto& m) { return tape::determinant(m); }, Eigen::Matrix2d{{1e-200, 0}, {0, 3e-200}});
    CHECK(h.gradient(0, 0) == Approx(3e-200).epsilon(1e-14));
    CHECK(h.hessian(0, 3) == Approx(1.0));
    CHECK(h.hessian(1, 2) == Approx(-1.0));
    CHECK(h.hessian(0, 0) == Approx(0.0).margin(1e-12));
}

TEST_CASE("second derivatives and other number types through solves", "[eigen][solve]") {
    // x = A^-1 b for A = [[2, p], [q, 3]], b = (1, 1): x0 = (3 - p) / (6 - p q).
    const auto x0 = [](const auto& p) {
        using number = std::remove_cvref_t<decltype(p[0])>;
        Eigen::Matrix<number, 2, 2> a;
        a << 2.0, p[0], p[1], 3.0;
        return number(tape::solve(a, Eigen::Vector2d(1, 1))(0));
    };
    constexpr auto p = cr::variable<"p">;
    constexpr auto q = cr::variable<"q">;
    const auto expected = cr::hessian((3.0 - p) / (6.0 - p * q));
    const auto found = tape::hessian<double>(x0, {0.4, -0.7});
    const auto numbers_expected = expected(p = 0.4, q = -0.7);
    CHECK(found.hessian(0, 0) == Approx(numbers_expected(p, p)).epsilon(1e-13));
    CHECK(found.hessian(0, 1) == Approx(numbers_expected(p, q)).epsilon(1e-13));
    CHECK(found.hessian(1, 0) == Approx(numbers_expected(q, p)).epsilon(1e-13));
    CHECK(found.hessian(1, 1) == Approx(numbers_expected(q, q)).epsilon(1e-13));

    tape::basic_tape<float> t;
    const auto single = t.variables(std::vector{0.4f, -0.7f});
    t.backward(x0(single));
    CHECK(single[1].gradient() == Approx(2.6 * 0.4 / (6.28 * 6.28)).epsilon(1e-6));
}

TEST_CASE("misuse of solves is answered in words", "[eigen][solve]") {
    tape::tape t, other;
    const matrix<double> plain = regular(3, 0.1);
    const matrix<active> A = tape::variables(t, plain), wide = tape::variables(t, numbers(2, 3, 0.3));
    const vector<active> b = tape::variables(t, vector<double>(numbers(3, 1, 0.3)));
    const vector<active> foreign = tape::variables(other, vector<double>(numbers(3, 1, 0.3)));
    const auto before = t.mark();
    CHECK(sentence_of([&] { (void)tape::solve(wide, b); }) ==
          "solve: the matrix has 2 rows and 3 columns; give a square one");
    CHECK(sentence_of([&] { (void)tape::solve(A, vector<active>(2)); }) ==
          "solve: the matrix has 3 rows and the right-hand side 2; give as many");
    CHECK(sentence_of([&] { (void)tape::solve(matrix<active>(matrix<active>::Ones(3, 3)), b); }) ==
          "solve: the matrix is singular; check that its rows are independent");
    CHECK(sentence_of([&] { (void)tape::inverse(matrix<active>(matrix<active>::Zero(2, 2))); }) ==
          "inverse: the matrix is singular; check that its rows are independent");
    CHECK_THROWS_AS((void)tape::log_determinant(matrix<active>(matrix<active>::Zero(2, 2))), std::domain_error);
    CHECK(sentence_of([&] { (void)tape::solve(matrix<active>(-matrix<active>::Identity(3, 3)), b, tape::cholesky); }) ==
          "solve: the matrix is not positive definite; omit cholesky for other matrices");
    CHECK(sentence_of([&] { (void)tape::solve(A, foreign); }).find("another tape") != std::string::npos);
    CHECK(sentence_of([&] { (void)tape::determinant(wide); }).find("determinant: the matrix has 2 rows") == 0);
    CHECK(t.mark() == before);
}
