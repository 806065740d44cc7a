// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of linear solves without recording the elimination.
#include "matrices.hpp"
#include "sentence.hpp"

#include <vector>

namespace {

using namespace matrices;

} // namespace

TEST_CASE("solve is one operation with the derivatives of the elimination", "[eigen][solve]") {
    for (const Eigen::Index columns : {1, 3}) {
        const matrix<double> a = regular(5, 0.1), b = numbers(5, columns, 0.4), weights = numbers(5, columns, 0.9);
        tape::tape all, t;
        const matrix<active> A = tape::variables(all, a), B = tape::variables(all, b);
        const matrix<active> M = tape::variables(t, a), R = tape::variables(t, b);
        const std::size_t before = t.memory().statements;
        const matrix<active> x = tape::solve(M, R);
        CHECK(t.memory().statements == before + static_cast<std::size_t>(x.size()));
        check_close(a * tape::values(x), b);
        const auto used = [&](const matrix<active>& s) {
            return active(s.array().square().matrix().cwiseProduct(weights).sum());
        };
        all.backward(used(A.partialPivLu().solve(B)));
        t.backward(used(x));
        check_close(tape::gradients(M), tape::gradients(A));
        check_close(tape::gradients(R), tape::gradients(B));

        // The equations: W = A^-T X', A' = -W X^T.
        const matrix<double> w = a.transpose().inverse() * (2.0 * tape::values(x).cwiseProduct(weights));
        check_close(tape::gradients(R), w);
        check_close(tape::gradients(M), -w * tape::values(x).transpose());
    }
}

TEST_CASE("solve with plain matrices, expressions, fixed sizes and parts that are not recorded", "[eigen][solve]") {
    const Eigen::Matrix3d a = regular(3, 0.2);
    const Eigen::Vector3d b(1, -2, 0.5);
    tape::tape t;
    const matrix3<active> A = tape::variables(t, a);
    const vector3<active> B = tape::variables(t, b);

    const vector3<active> plain_matrix = tape::solve(a, B), plain_right = tape::solve(A, b);
    t.backward(plain_matrix(1));
    check_close(tape::gradients(B), a.inverse().row(1).transpose());
    check_close(tape::gradients(A), Eigen::Matrix3d::Zero());
    t.backward(plain_right(1));
    check_close(tape::gradients(A), -a.inverse().row(1).transpose() * tape::values(plain_right).transpose());

    // (A^T A) x = A^T b has the same solution.
    const vector3<active> x = tape::solve(A.transpose() * A, A.transpose() * b);
    t.backward(x(1));
    check_close(tape::gradients(A), -a.inverse().row(1).transpose() * tape::values(x).transpose(), 1e-11);

    matrix3<active> partly = a.cast<active>();
    partly(2, 0) = A(0, 0) * 3.0;
    t.backward(tape::solve(partly, b.cast<active>())(0));
    CHECK(A(0, 0).gradient() != 0);

    const auto unrecorded = tape::solve(a.cast<active>(), b);
    CHECK(!unrecorded(0).is_recorded());
    t.pause();
    const auto paused = tape::solve(A, B);
    CHECK(!paused(0).is_recorded());
    check_close(tape::values(paused), tape::values(unrecorded));
}

TEST_CASE("several outputs of a solve in one sweep", "[eigen][solve]") {
    const matrix<double> a = regular(4, 0.5);
    tape::tape t;
    const vector<active> b = tape::variables(t, vector<double>(numbers(4, 1, 0.2)));
    const vector<active> x = tape::solve(a, b);
    const auto jacobian =
        tape::jacobian(t, std::vector<active>(x.begin(), x.end()), std::vector<active>(b.begin(), b.end()));
    check_close(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(jacobian.data()), a.inverse());
}

TEST_CASE("solves of numbers whose tape is destroyed are refused, as their sums are", "[eigen][solve]") {
    matrix<active> a;
    {
        tape::tape t;
        a = tape::variables(t, regular(3, 0.1));
    }
    const matrix<active> b = a.col(0);
    const std::string sentence = "active: a number is used whose tape is destroyed; keep the tape as long as its "
                                 "numbers";
    CHECK(sentence_of([&] { (void)tape::solve(a, b); }) == sentence);
    CHECK(sentence_of([&] { (void)tape::solve(regular(3, 0.2), b); }) == sentence);
    CHECK(sentence_of([&] { (void)tape::inverse(a); }) == sentence);
    CHECK(sentence_of([&] { (void)tape::determinant(a); }) == sentence);
    CHECK(sentence_of([&] { (void)tape::log_determinant(a); }) == sentence);
}

TEST_CASE("variables of a matrix that do not fit on the tape leave it as it was", "[eigen]") {
    tape::tape t;
    const active one = t.variable(1.0), two = one + one;
    const std::size_t before = t.memory().statements;
    t.limit_memory(1);
    CHECK_THROWS_AS((void)tape::variables(t, matrix<double>(matrix<double>::Zero(40, 40))), tape::recording_full);
    CHECK(t.memory().statements == before);
    CHECK(two.value() == 2.0);
}

TEST_CASE("variables of a matrix are in its places, whatever its order", "[eigen]") {
    tape::tape t;
    const Eigen::Matrix<double, 2, 3, Eigen::RowMajor> rows{{1, 2, 3}, {4, 5, 6}};
    check_close(tape::values(tape::variables(t, rows)), rows);
    check_close(tape::values(tape::variables(t, rows.transpose())), rows.transpose());
    CHECK(tape::variables(t, matrix<double>(0, 3)).size() == 0);
}
