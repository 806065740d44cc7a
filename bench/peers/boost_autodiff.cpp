// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Boost.Math, in forward mode, one input at a time. make_ftuple of several variables of order 1 computes
// all mixed derivatives as well, 2^n numbers for n inputs; of the workloads it would suit the smallest alone, in 0.7 of
// the time, but numbers of several variables want a type each, which no function of one number type gives.
#include <boost/math/differentiation/autodiff.hpp>

#include "contestant.hpp"

namespace peers {
namespace {

struct boost_math {
    template <class Workload>
    static constexpr bool takes_part = few_inputs<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        using number = boost::math::differentiation::autodiff_fvar<double, 1>;
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        std::array<number, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
        for (std::size_t i = 0; i < n; ++i) {
            point[i] = boost::math::differentiation::make_fvar<double, 1>(x[i]);
            const auto results = run<Workload>(point.data());
            for (std::size_t j = 0; j < m; ++j) {
                answer[j] = results[j].derivative(0);
                answer[m + j * n + i] = results[j].derivative(1);
            }
            point[i] = x[i];
        }
    }
};

} // namespace

contestant boost_autodiff() { return contestant_of<boost_math>("Boost.Math autodiff"); }

} // namespace peers
