// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of linear solves by Cholesky's factorisation, without recording it.
#include "matrices.hpp"

#include <cmath>

namespace {

using namespace matrices;

} // namespace

TEST_CASE("solve by Cholesky's factorisation reads and differentiates the lower triangle", "[eigen][solve]") {
    const matrix<double> c = regular(4, 0.6) * regular(4, 0.6).transpose(), b = numbers(4, 2, 0.7);
    tape::tape all, t;
    const matrix<active> C = tape::variables(all, c), M = tape::variables(t, c);
    all.backward(active(C.llt().solve(b.cast<active>()).squaredNorm()));
    const matrix<active> x = tape::solve(M, b, tape::cholesky);
    t.backward(active(x.squaredNorm()));
    check_close(tape::values(x), c.llt().solve(b));
    check_close(tape::gradients(M), tape::gradients(C), 1e-11);
    CHECK(M(0, 1).gradient() == 0);

    all.backward(2.0 * log(matrix<active>(C.llt().matrixL()).diagonal().prod()));
    t.backward(tape::log_determinant(M, tape::cholesky));
    check_close(tape::gradients(M), tape::gradients(C), 1e-11);
    CHECK(tape::log_determinant(M, tape::cholesky).value() == Approx(std::log(c.determinant())).epsilon(1e-12));
}
