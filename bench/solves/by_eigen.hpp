// SPDX-License-Identifier: BSL-1.0
//
// The fits of bench/solves with the Levenberg-Marquardt method of Eigen, a translation of MINPACK's.
#pragma once

#include <unsupported/Eigen/LevenbergMarquardt>

namespace by_eigen {

/// The vectors of Eigen's solver are of dynamic size, whatever the function states.
struct exponential : Eigen::DenseFunctor<double> {
    const double* times;
    const double* counts;
    exponential(Eigen::Index m, const double* t, const double* y)
        : DenseFunctor(3, static_cast<int>(m)), times(t), counts(y) {}
    int operator()(const Eigen::VectorXd& p, Eigen::VectorXd& r) const {
        for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = counts[i] - (p[0] * std::exp(-p[1] * times[i]) + p[2]);
        return 0;
    }
    int df(const Eigen::VectorXd& p, Eigen::MatrixXd& jacobian) const {
        for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
            const double e = std::exp(-p[1] * times[i]);
            jacobian(i, 0) = -e;
            jacobian(i, 1) = p[0] * times[i] * e;
            jacobian(i, 2) = -1;
        }
        return 0;
    }
};

inline void exponentials(std::size_t n, std::size_t m, const double* times, const double* counts, double* found) {
    for (std::size_t i = 0; i < n; ++i) {
        exponential f(static_cast<Eigen::Index>(m), times, counts + i * m);
        Eigen::LevenbergMarquardt<exponential> solver(f);
        Eigen::VectorXd p(3);
        p << 2, 1, 0.5;
        solver.setXtol(1e-10); // ends as the others do, by the step
        solver.setFtol(1e-15);
        solver.minimize(p);
        for (Eigen::Index j = 0; j < 3; ++j) found[3 * i + static_cast<std::size_t>(j)] = p[j];
    }
}

} // namespace by_eigen
