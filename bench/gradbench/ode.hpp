// SPDX-License-Identifier: BSL-1.0
//
// ode: y_0' = x_0, y_i' = x_i y_(i-1) from zero to the time 2 by steps of Runge and Kutta. Gradient of the last
// component with respect to x.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "eval.hpp"

namespace gradbench {

struct ode {
    static constexpr auto name = "ode";
    std::size_t steps;
    numbers point;

    static ode of_size(std::size_t n, std::size_t steps) { return {steps, random_numbers(n, 0.5, 1.5)}; }
    static ode read(std::istream& in) {
        const std::size_t steps = read_size(in);
        return {steps, read_numbers(in, read_size(in))};
    }

    [[nodiscard]] double step() const { return 2.0 / static_cast<double>(steps); }

    template <class T>
    static void slopes(const auto& x, const std::vector<T>& y, std::vector<T>& to) {
        to[0] = x[0];
        for (std::size_t i = 1; i < y.size(); ++i) to[i] = x[i] * y[i - 1];
    }
    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        return solution(x).back();
    }
    template <class List>
    [[nodiscard]] auto solution(const List& x) const {
        using T = number_of<List>;
        const std::size_t n = x.size();
        const double h = step();
        std::vector<T> y(n, T(0.0)), k1(n), k2(n), k3(n), k4(n), between(n);
        for (std::size_t s = 0; s < steps; ++s) {
            slopes(x, y, k1);
            for (std::size_t i = 0; i < n; ++i) between[i] = y[i] + h / 2.0 * k1[i];
            slopes(x, between, k2);
            for (std::size_t i = 0; i < n; ++i) between[i] = y[i] + h / 2.0 * k2[i];
            slopes(x, between, k3);
            for (std::size_t i = 0; i < n; ++i) between[i] = y[i] + h * k3[i];
            slopes(x, between, k4);
            for (std::size_t i = 0; i < n; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        return y;
    }

    /// With few components, their number is known.
    void by_hand(numbers& result) const {
        if (point.size() == 8)
            by_hand_with<std::array<double, 8>>(result, std::integral_constant<std::size_t, 8>{});
        else
            by_hand_with<numbers>(result, point.size());
    }
    template <class Row, class Size>
    void by_hand_with(numbers& result, Size size) const {
        const std::size_t n = size;
        const auto zeros = [n] {
            Row row{};
            if constexpr (requires { row.resize(n); }) row.resize(n);
            return row;
        };
        const double h = step();
        const std::array<double, 4> ahead{0.0, h / 2.0, h / 2.0, h}, share{h / 6.0, h / 3.0, h / 3.0, h / 6.0};
        numbers stages(steps * 4 * n); // where slopes are taken
        Row y = zeros(), slope = zeros(), start = zeros(), x = zeros();
        std::copy(point.begin(), point.end(), x.begin());
        for (std::size_t s = 0; s < steps; ++s) {
            start = y;
            for (std::size_t stage = 0; stage < 4; ++stage) {
                double* const at = &stages[(s * 4 + stage) * n];
                for (std::size_t i = 0; i < n; ++i) at[i] = start[i] + ahead[stage] * slope[i];
                slope[0] = x[0];
                for (std::size_t i = 1; i < n; ++i) slope[i] = x[i] * at[i - 1];
                for (std::size_t i = 0; i < n; ++i) y[i] += share[stage] * slope[i];
            }
        }
        Row adjoint = zeros(), of_slope = zeros(), before = zeros(), total = zeros();
        adjoint[n - 1] = 1.0;
        for (std::size_t s = steps; s-- > 0;) {
            before = adjoint;
            for (std::size_t stage = 4, i = 0; stage-- > 0;) {
                const double* const at = &stages[(s * 4 + stage) * n];
                // Of this slope: its share in the step, and what the next stage, whose adjoint is in `slope`, took of
                // it.
                for (i = 0; i < n; ++i)
                    of_slope[i] = share[stage] * adjoint[i] + (stage < 3 ? ahead[stage + 1] * slope[i] : 0.0);
                total[0] += of_slope[0];
                for (i = 1; i < n; ++i) total[i] += of_slope[i] * at[i - 1];
                for (i = 1; i < n; ++i) slope[i - 1] = of_slope[i] * x[i];
                slope[n - 1] = 0.0;
                for (i = 0; i < n; ++i) before[i] += slope[i];
            }
            adjoint.swap(before);
        }
        result.assign(total.begin(), total.end());
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
