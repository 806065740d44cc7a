// SPDX-License-Identifier: BSL-1.0
//
// 1000 steps of the classical Runge-Kutta method over the system of Lorenz (1996) with ten variables on a ring,
//   x_i' = (x_{i+1} - x_{i-2}) x_{i-1} - x_i + 8
// and the gradient of the energy at the end, half the sum of squares, by the ten values at the start: a long loop that
// keeps much for the way back. The time is short enough that rounding does not grow.
#pragma once

#include "results.hpp"

namespace workloads {

struct lorenz_96 {
    static constexpr auto name = "Lorenz 96, 1000 Runge-Kutta steps";
    static constexpr std::size_t size = 10, steps = 1000;
    static constexpr double forcing = 8.0, step = 0.001;
    static constexpr point<size> at = {1.2, -0.7, 3.1, 2.4, 0.3, -1.9, 4.2, 5.3, 0.8, -2.6};
    using data = no_data;

    template <class T>
    static void slope(const std::array<T, size>& x, std::array<T, size>& dx) {
        for (std::size_t i = 0; i < size; ++i)
            dx[i] = (x[(i + 1) % size] - x[(i + size - 2) % size]) * x[(i + size - 1) % size] - x[i] + forcing;
    }

    template <class T>
    static T ordinary(const data&, const T* start) {
        std::array<T, size> x, y, k1, k2, k3, k4;
        for (std::size_t i = 0; i < size; ++i) x[i] = start[i];
        for (std::size_t s = 0; s < steps; ++s) {
            slope(x, k1);
            for (std::size_t i = 0; i < size; ++i) y[i] = x[i] + 0.5 * step * k1[i];
            slope(y, k2);
            for (std::size_t i = 0; i < size; ++i) y[i] = x[i] + 0.5 * step * k2[i];
            slope(y, k3);
            for (std::size_t i = 0; i < size; ++i) y[i] = x[i] + step * k3[i];
            slope(y, k4);
            for (std::size_t i = 0; i < size; ++i) x[i] += step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        T energy(0.0);
        for (std::size_t i = 0; i < size; ++i) energy += x[i] * x[i];
        return 0.5 * energy;
    }

    static value_and_gradient<size> by_hand(const data&, const point<size>& start) {
        using state = std::array<double, size>;
        // All stages are kept: computing three of them again would cost more than reading them.
        std::array<std::array<state, 4>, steps> kept_stages;

        const auto advanced = [](const state& x, double factor, const state& k) {
            state y;
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) y[i] = x[i] + factor * k[i];
            return y;
        };
        const auto slope_at = [](const state& x) {
            state k;
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i)
                k[i] = (x[(i + 1) % size] - x[(i + size - 2) % size]) * x[(i + size - 1) % size] + (forcing - x[i]);
            return k;
        };
        // The adjoint of a stage from the adjoint of its slope.
        const auto back = [](const state& x, const state& d_k) {
            state d_x;
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) {
                const std::size_t before = (i + size - 1) % size, after = (i + 1) % size;
                const std::size_t before2 = (i + size - 2) % size, after2 = (i + 2) % size;
                d_x[i] =
                    d_k[before] * x[before2] - d_k[after2] * x[after] + d_k[after] * (x[after2] - x[before]) - d_k[i];
            }
            return d_x;
        };

        state x = start;
        for (auto& [y1, y2, y3, y4] : kept_stages) {
            y1 = x;
            const state k1 = slope_at(x);
            const state second = advanced(x, 0.5 * step, k1);
            y2 = second;
            const state k2 = slope_at(second);
            const state third = advanced(x, 0.5 * step, k2);
            y3 = third;
            const state k3 = slope_at(third);
            const state fourth = advanced(x, step, k3);
            y4 = fourth;
            const state k4 = slope_at(fourth);
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) x[i] += step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        double energy = 0.0;
        for (std::size_t i = 0; i < size; ++i) energy += x[i] * x[i];

        state d_x = x;
        for (std::size_t s = steps; s-- > 0;) {
            const auto& [y1, y2, y3, y4] = kept_stages[s];
            state d_k4, d_k3, d_k2, d_k1;
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) d_k4[i] = step / 6.0 * d_x[i];
            const state d_y4 = back(y4, d_k4);
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) d_k3[i] = 2.0 * d_k4[i] + step * d_y4[i];
            const state d_y3 = back(y3, d_k3);
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) d_k2[i] = 2.0 * d_k4[i] + 0.5 * step * d_y3[i];
            const state d_y2 = back(y2, d_k2);
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) d_k1[i] = d_k4[i] + 0.5 * step * d_y2[i];
            const state d_y1 = back(y1, d_k1);
#pragma GCC unroll 10
            for (std::size_t i = 0; i < size; ++i) d_x[i] += d_y1[i] + d_y2[i] + d_y3[i] + d_y4[i];
        }
        return {0.5 * energy, d_x};
    }
};

} // namespace workloads
