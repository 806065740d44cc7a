// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Stan Math. Operations go to its arena while they are computed; recover_memory empties the arena, which
// keeps its blocks. A logistic regression is one of its custom functions.
#include <stan/math/rev/core.hpp>
#include <stan/math/rev/meta.hpp>
#include <stan/math/rev/mat/fun/Eigen_NumTraits.hpp>
#include <stan/math/rev/mat/meta/operands_and_partials.hpp>
#include <stan/math/rev/scal/fun/cos.hpp>
#include <stan/math/rev/scal/fun/erfc.hpp>
#include <stan/math/rev/scal/fun/exp.hpp>
#include <stan/math/rev/scal/fun/log.hpp>
#include <stan/math/rev/scal/fun/sin.hpp>
#include <stan/math/rev/scal/fun/sqrt.hpp>
#include <stan/math/rev/scal/fun/tanh.hpp>
#include <stan/math/rev/scal/fun/value_of.hpp>
#include <stan/math/rev/scal/fun/value_of_rec.hpp>
#include <stan/math/prim/mat/fun/sum.hpp>
#include <stan/math/prim/mat/prob/bernoulli_logit_glm_lpmf.hpp>

#include <vector>

#include "contestant.hpp"

namespace peers {
namespace {

using stan::math::var;

template <class Workload>
auto results_at(const var* x) {
    return run<Workload>(x);
}

/// The data as this function takes them, made once.
struct regression_data {
    Eigen::MatrixXd x{workloads::logistic_regression::points, workloads::logistic_regression::weights};
    std::vector<int> is_one;

    regression_data() {
        const auto& seen = given<workloads::logistic_regression>;
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            const auto row = static_cast<std::size_t>(i);
            for (Eigen::Index j = 0; j < x.cols(); ++j) x(i, j) = seen.x[row][static_cast<std::size_t>(j)];
            is_one.push_back(seen.label[row] > 0.0);
        }
    }
};

template <>
auto results_at<workloads::logistic_regression>(const var* x) {
    using workload = workloads::logistic_regression;
    static const regression_data data;
    const Eigen::Matrix<var, Eigen::Dynamic, 1> weights = Eigen::Map<const Eigen::Matrix<var, workload::weights, 1>>(x);
    const var likelihood = stan::math::bernoulli_logit_glm_lpmf(data.is_one, data.x, 0.0, weights);
    return std::array<var, 1>{-likelihood / static_cast<double>(workload::points)};
}

struct stan_math {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        std::array<var, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
        auto results = results_at<Workload>(point.data());
        double* derivatives = answer + m;
        for (std::size_t j = 0; j < m; ++j) {
            answer[j] = results[j].val();
            if (j > 0) stan::math::set_zero_all_adjoints();
            stan::math::grad(results[j].vi_);
            for (std::size_t i = 0; i < n; ++i) *derivatives++ = point[i].adj();
        }
        stan::math::recover_memory();
    }
};

} // namespace

contestant stan() { return contestant_of<stan_math>("Stan Math"); }

} // namespace peers
