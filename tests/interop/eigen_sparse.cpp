// SPDX-License-Identifier: BSL-1.0
//
// Solvers of Eigen for sparse matrices of numbers with derivatives. Where the value of a right-hand side is 0, its
// derivatives are not.
#include "catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/interop/eigen.hpp>
#include <chainrule/tape.hpp>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <type_traits>

namespace {

namespace tape = chainrule::tape;
template <class T>
using sparse = Eigen::SparseMatrix<T>;
template <class T>
using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

const Eigen::MatrixXd dense{{4.0, 1.0, 0.0, 0.5}, {1.0, 5.0, 2.0, 0.0}, {0.0, 2.0, 6.0, -1.0}, {0.5, 0.0, -1.0, 3.0}};
const Eigen::VectorXd weights{{1.0, 10.0, 100.0, -1000.0}};

template <class T>
T weighted(const vector<T>& x) {
    return T(weights.cast<T>().dot(x));
}
// w^T A(s)^-1 b, where b is the point without its last number s, which is added to the diagonal of A.
template <class Solver>
struct by {
    template <class V>
    auto operator()(const V& v) const {
        using T = std::remove_cvref_t<decltype(v(0))>;
        sparse<T> a = sparse<double>(dense.sparseView()).template cast<T>();
        for (int i = 0; i < 4; ++i) a.coeffRef(i, i) += v(4);
        typename Solver::template of<T> solver;
        solver.compute(a);
        const vector<T> b = v.head(4);
        return weighted<T>(solver.solve(b));
    }
};
struct cholesky {
    template <class T>
    using of = Eigen::SimplicialLLT<sparse<T>>;
};
struct cholesky_with_diagonal {
    template <class T>
    using of = Eigen::SimplicialLDLT<sparse<T>>;
};
struct elimination {
    template <class T>
    using of = Eigen::SparseLU<sparse<T>>;
};

template <class Solver>
void check_solver() {
    for (const Eigen::VectorXd& b :
         {Eigen::VectorXd(Eigen::Vector4d(1.0, 2.0, 3.0, 4.0)), Eigen::VectorXd(Eigen::Vector4d(0.0, 0.0, 3.0, 0.0)),
          Eigen::VectorXd(Eigen::Vector4d::Zero())}) {
        Eigen::VectorXd at(5), expected(5);
        at << b, 0.25;
        const Eigen::MatrixXd inverse = (dense + 0.25 * Eigen::MatrixXd::Identity(4, 4)).inverse();
        const Eigen::VectorXd adjoint = inverse.transpose() * weights;
        expected << adjoint, -adjoint.dot(inverse * b);
        const by<Solver> f;
        const Eigen::VectorXd found = tape::gradient(f, at);
        CHECK((found - expected).norm() < 1e-9 * expected.norm());
        for (int i = 0; i < 5; ++i)
            CHECK(tape::jvp(f, at, Eigen::VectorXd(Eigen::VectorXd::Unit(5, i))) ==
                  Approx(expected[i]).epsilon(1e-9).margin(1e-9));
    }
}

} // namespace

TEST_CASE("sparse factorisations keep derivatives of right-hand sides that are 0", "[eigen]") {
    check_solver<cholesky>();
    check_solver<cholesky_with_diagonal>();
    check_solver<elimination>();
}

TEST_CASE("sparse triangles keep derivatives of right-hand sides that are 0", "[eigen]") {
    const auto check_triangle = [](auto mode, auto order) {
        const sparse<double> whole = dense.sparseView();
        const Eigen::MatrixXd inverse = Eigen::MatrixXd(dense.triangularView<mode()>()).inverse();
        const auto f = [&](const auto& b) {
            using T = std::remove_cvref_t<decltype(b(0))>;
            const Eigen::SparseMatrix<T, order()> a = whole.template cast<T>();
            const vector<T> x = a.template triangularView<mode()>().solve(vector<T>(b));
            return weighted<T>(x);
        };
        const Eigen::VectorXd found = tape::gradient(f, Eigen::VectorXd(Eigen::VectorXd::Zero(4)));
        CHECK((found - inverse.transpose() * weights).norm() < 1e-9 * found.norm());
    };
    constexpr auto both_orders = [](const auto& check, auto mode) {
        check(mode, std::integral_constant<int, Eigen::ColMajor>{});
        check(mode, std::integral_constant<int, Eigen::RowMajor>{});
    };
    both_orders(check_triangle, std::integral_constant<unsigned, Eigen::Lower>{});
    both_orders(check_triangle, std::integral_constant<unsigned, Eigen::Upper>{});
    both_orders(check_triangle, std::integral_constant<unsigned, Eigen::UnitLower>{});
    both_orders(check_triangle, std::integral_constant<unsigned, Eigen::UnitUpper>{});
}
