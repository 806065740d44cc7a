// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Eigen's AutoDiffScalar, in forward mode, with a vector of derivatives of static size; its operations
// are expression templates over that vector. erfc, which it lacks, is defined like its custom functions.
#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include <cmath>

namespace Eigen {

template <class Derivatives>
auto erfc(const AutoDiffScalar<Derivatives>& x) {
    constexpr double two_over_root_pi = 1.12837916709551257390;
    return MakeAutoDiffScalar(std::erfc(x.value()),
                              x.derivatives() * (-two_over_root_pi * std::exp(-x.value() * x.value())));
}

} // namespace Eigen

#include "contestant.hpp"

namespace peers {
namespace {

struct auto_diff_scalar {
    template <class Workload>
    static constexpr bool takes_part = few_inputs<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr int n = static_cast<int>(inputs<Workload>), m = static_cast<int>(outputs<Workload>);
        using number = Eigen::AutoDiffScalar<Eigen::Matrix<double, n, 1>>;
        std::array<number, n> point;
        for (int i = 0; i < n; ++i) point[static_cast<std::size_t>(i)] = number(x[i], n, i);
        const auto results = run<Workload>(point.data());
        double* derivatives = answer + m;
        for (const number& result : results) {
            *answer++ = result.value();
            for (int i = 0; i < n; ++i) *derivatives++ = result.derivatives()[i];
        }
    }
};

} // namespace

contestant eigen() { return contestant_of<auto_diff_scalar>("Eigen AutoDiffScalar"); }

} // namespace peers
