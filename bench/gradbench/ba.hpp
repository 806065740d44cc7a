// SPDX-License-Identifier: BSL-1.0
//
// ba: bundle adjustment. The blocks of the sparse Jacobian: for each of p observations the 2 x 15 derivatives of the
// reprojection residual (workloads/reprojection.hpp) with respect to camera, point and weight, then for each weight the
// derivative of 1 - w^2.
#pragma once

#include <algorithm>
#include <array>

#include "../workloads/reprojection.hpp"
#include "eval.hpp"

namespace gradbench {

struct ba {
    static constexpr auto name = "ba";
    using residual = workloads::reprojection;
    std::size_t n, m, p;           // cameras, points, observations
    std::array<double, 2> feature; // as GradBench has it, the same for all observations
    numbers point;                 // n equal cameras, m points, p weights

    static ba of_size(std::size_t n, std::size_t m, std::size_t p) {
        const auto& x = residual::at;
        return made(n, m, p, {x.begin(), x.begin() + 11}, {x.begin() + 11, x.begin() + 14}, {x[14]}, {0.37, 0.52});
    }
    static ba read(std::istream& in) {
        const std::size_t n = read_size(in), m = read_size(in), p = read_size(in);
        const numbers camera = read_numbers(in, 11), seen = read_numbers(in, 3), weight = read_numbers(in, 1);
        return made(n, m, p, camera, seen, weight, read_numbers(in, 2));
    }
    static ba made(std::size_t n, std::size_t m, std::size_t p, const numbers& camera, const numbers& seen,
                   const numbers& weight, const numbers& feature) {
        ba result{n, m, p, {feature[0], feature[1]}, {}};
        const auto repeat = [&](std::size_t times, const numbers& what) {
            for (std::size_t i = 0; i < times; ++i) result.point.insert(result.point.end(), what.begin(), what.end());
        };
        repeat(n, camera);
        repeat(m, seen);
        repeat(p, weight);
        return result;
    }

    /// The numbers of an observation.
    [[nodiscard]] std::array<double, 15> of_observation(std::size_t i) const {
        std::array<double, 15> x;
        std::copy_n(&point[11 * (i % n)], 11, x.begin());
        std::copy_n(&point[11 * n + 3 * (i % m)], 3, x.begin() + 11);
        x[14] = point[11 * n + 3 * m + i];
        return x;
    }
    [[nodiscard]] residual::data seen() const { return {feature}; }

    /// The residual of an observation as a function of its numbers.
    [[nodiscard]] static auto residual_for(const residual::data& seen) {
        return [&seen](const auto& x) { return residual::ordinary<number_of<decltype(x)>>(seen, x.data()); };
    }
    /// Writes the block of each observation, given by f(seen, x), and the derivatives of the weights' errors.
    template <class F>
    void blocks(numbers& result, F f) const {
        result.resize(31 * p);
        for (std::size_t i = 0; i < p; ++i) {
            const auto jacobian = f(seen(), of_observation(i));
            for (std::size_t row = 0; row < 2; ++row)
                std::copy_n(jacobian[row].begin(), 15, &result[30 * i + 15 * row]);
            result[30 * p + i] = -2.0 * point[11 * n + 3 * m + i];
        }
    }
    void by_hand(numbers& result) const {
        blocks(result, [](const auto& seen, const auto& x) { return residual::by_hand(seen, x).jacobian; });
    }
    bool by_kernel(numbers& result) const;
    void by_tape(numbers& result) const;
};

} // namespace gradbench
