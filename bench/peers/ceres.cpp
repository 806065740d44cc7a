// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Ceres, in forward mode: a Jet carries the derivatives with respect to all inputs, whose number is
// static, in one Eigen vector; one run computes all of them.
#include <ceres/jet.h>

#include "contestant.hpp"

namespace peers {
namespace {

struct ceres_jet {
    template <class Workload>
    static constexpr bool takes_part = few_inputs<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        using number = ::ceres::Jet<double, static_cast<int>(n)>;
        std::array<number, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] = number(x[i], static_cast<int>(i));
        const auto results = run<Workload>(point.data());
        double* derivatives = answer + m;
        for (std::size_t j = 0; j < m; ++j) {
            answer[j] = results[j].a;
            for (std::size_t i = 0; i < n; ++i) *derivatives++ = results[j].v[static_cast<Eigen::Index>(i)];
        }
    }
};

} // namespace

contestant ceres() { return contestant_of<ceres_jet>("Ceres Jet"); }

} // namespace peers
