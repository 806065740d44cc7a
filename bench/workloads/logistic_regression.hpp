// SPDX-License-Identifier: BSL-1.0
//
// W6: the mean loss of a logistic regression, 10 000 points with a label t of 1 or -1, eight weights:
//   sum_i log(1 + exp(-t_i w.x_i)) / n
// A loop over data, two library calls in each step: by_hand keeps the calls in a loop of their own, so that compilers
// turn what is around them into SIMD code.
#pragma once

#include "results.hpp"

namespace workloads {

struct logistic_regression {
    static constexpr auto name = "Logistic regression, 10 000 points";
    static constexpr std::size_t points = 10'000, weights = 8;
    static constexpr point<weights> at = {0.31, -0.52, 0.14, 0.78, -0.26, 0.43, -0.67, 0.09};
    struct data {
        std::array<std::array<double, weights>, points> x;
        std::array<double, points> label;

        data() {
            seeded random(6);
            for (std::size_t i = 0; i < points; ++i) {
                for (double& feature : x[i]) feature = random.between(-2.0, 2.0);
                label[i] = random.between(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            }
        }
    };

    /// The loss of one point.
    template <class T>
    static constexpr auto loss(const auto& one, const auto& label, const auto& product) {
        using std::exp, std::log;
        return kept<T>(log(one + exp(-label * product)));
    }

    template <class T>
    static T ordinary(const data& seen, const T* w) {
        T sum(0.0);
        for (std::size_t i = 0; i < points; ++i) {
            const auto& x = seen.x[i];
            const T product = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3] + w[4] * x[4] + w[5] * x[5] +
                              w[6] * x[6] + w[7] * x[7];
            sum += loss<T>(1.0, seen.label[i], product);
        }
        return sum / static_cast<double>(points);
    }

    static value_and_gradient<weights> by_hand(const data& seen, const point<weights>& w) {
        constexpr std::size_t block = 80, lanes = 4; // rows that stay in the first cache, sums at once
        static_assert(points % block == 0 && weights == 2 * lanes);
        double sum = 0.0;
        std::array<double, weights> even{}, odd{};
        for (std::size_t first = 0; first < points; first += block) {
            const auto* const x = seen.x.data() + first;
            const double* const label = seen.label.data() + first;
            std::array<double, block> power, slope;
            for (std::size_t i = 0; i < block; ++i) {
                std::array<double, lanes> part;
                for (std::size_t j = 0; j < lanes; ++j) part[j] = w[j] * x[i][j] + w[j + lanes] * x[i][j + lanes];
                power[i] = -label[i] * ((part[0] + part[1]) + (part[2] + part[3]));
            }
            for (std::size_t i = 0; i < block; ++i) {
                power[i] = std::exp(power[i]);
                sum += std::log(1.0 + power[i]);
            }
            for (std::size_t i = 0; i < block; ++i) slope[i] = -label[i] * (power[i] / (1.0 + power[i]));
            // Two sums for each weight, so that an addition need not wait for the one before.
            for (std::size_t i = 0; i < block; i += 2) {
                for (std::size_t j = 0; j < weights; ++j) even[j] += slope[i] * x[i][j];
                for (std::size_t j = 0; j < weights; ++j) odd[j] += slope[i + 1] * x[i + 1][j];
            }
        }
        constexpr double over_points = 1.0 / static_cast<double>(points);
        value_and_gradient<weights> result;
        result.value = sum * over_points;
        for (std::size_t j = 0; j < weights; ++j) result.gradient[j] = (even[j] + odd[j]) * over_points;
        return result;
    }
};

} // namespace workloads
