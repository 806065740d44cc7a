// SPDX-License-Identifier: BSL-1.0
//
// particle: two fixed charges, at (10, 0) and (10, 10 - w), deflect a third one, which starts at (0, 8) with the
// velocity (0.75, 0). The w that lets it cross the x axis nearest to the origin, by descent. Derivatives are nested:
// its path takes the gradient of the potential at each of Euler's steps, and the descent the derivative of the path
// with respect to w.
#pragma once

#include "descent.hpp"

namespace gradbench {

struct particle {
    static constexpr auto name = "particle";
    numbers point; // where the descent starts

    static particle of_start(double w) { return {{w}}; }
    static particle read(std::istream& in) { return {read_numbers(in, 1)}; }

    template <class List, class W>
    [[nodiscard]] static constexpr auto potential(const List& p, const W& w) {
        using std::sqrt;
        const auto inverse_distance = [&](const auto& x, const auto& y) { return 1.0 / sqrt(x * x + y * y); };
        return number_of<List>(inverse_distance(p[0] - 10.0, p[1] - (10.0 - w)) + inverse_distance(p[0] - 10.0, p[1]));
    }

    /// The square of the abscissa where the particle crosses the axis; slope(p, w): the gradient of the potential.
    template <class W, class Slope>
    [[nodiscard]] static W crossing(const W& w, const Slope& slope) {
        std::array<W, 2> p{W(0.0), W(8.0)}, v{W(0.75), W(0.0)};
        for (;;) {
            const auto force = slope(p, w);
            const std::array<W, 2> next{p[0] + 0.1 * v[0], p[1] + 0.1 * v[1]};
            if (next[1] < 0.0) break;
            p = next;
            for (std::size_t i = 0; i < 2; ++i) v[i] -= 0.1 * force[i];
        }
        const W x = p[0] - p[1] / v[1] * v[0];
        return x * x;
    }

    /// The descent; value(w) and derivative(w).
    template <class Value, class Derivative>
    void descend(numbers& result, const Value& value, const Derivative& derivative) const {
        const auto w = least(value, derivative, std::array{point[0]});
        result.assign(1, w[0]);
    }

    template <mode Inner>
    static constexpr auto slope_by = [](const auto& p, const auto& w) {
        return gradient_by<Inner>([&](const auto& at) { return potential(at, w); }, p);
    };
    template <mode Outer, mode Inner>
    void by_modes(numbers& result) const {
        const auto cost = [](const auto& w) { return crossing(w[0], slope_by<Inner>); };
        descend(result, cost, [&](const auto& w) { return gradient_by<Outer>(cost, w); });
    }
    void by_tape(numbers& result) const { by_modes<mode::reverse, mode::reverse>(result); }

    /// The gradient of the potential, and how it changes with the place and w.
    struct field {
        std::array<double, 2> at;
        double xx, xy, yy, xw, yw;
    };
    [[nodiscard]] static field field_of(const std::array<double, 2>& p, double w) {
        const double x = p[0] - 10.0, y0 = p[1], y1 = p[1] - 10.0 + w;
        const double s0 = 1.0 / (x * x + y0 * y0), s1 = 1.0 / (x * x + y1 * y1);
        const double c0 = s0 * std::sqrt(s0), c1 = s1 * std::sqrt(s1), f0 = 3.0 * s0 * c0, f1 = 3.0 * s1 * c1;
        const double yy1 = f1 * y1 * y1 - c1;
        return {{-x * (c0 + c1), -(y0 * c0 + y1 * c1)},
                x * x * (f0 + f1) - c0 - c1,
                x * (y0 * f0 + y1 * f1),
                f0 * y0 * y0 - c0 + yy1,
                x * y1 * f1,
                yy1};
    }
    void by_hand(numbers& result) const {
        const auto cost = [](const auto& w) {
            return crossing(w[0], [](const auto& p, double at) {
                const double x = p[0] - 10.0, y0 = p[1], y1 = p[1] - 10.0 + at;
                const double s0 = 1.0 / (x * x + y0 * y0), s1 = 1.0 / (x * x + y1 * y1);
                const double c0 = s0 * std::sqrt(s0), c1 = s1 * std::sqrt(s1);
                return std::array{-x * (c0 + c1), -(y0 * c0 + y1 * c1)};
            });
        };
        descend(result, cost, [](const auto& start) {
            const double w = start[0];
            std::array<double, 2> p{0.0, 8.0}, v{0.75, 0.0}, dp{}, dv{};
            for (;;) {
                const double y = p[1] + 0.1 * v[1];
                if (y < 0.0) break;
                const field f = field_of(p, w);
                const std::array df{f.xx * dp[0] + f.xy * dp[1] + f.xw, f.xy * dp[0] + f.yy * dp[1] + f.yw};
                for (std::size_t i = 0; i < 2; ++i) {
                    p[i] += 0.1 * v[i];
                    dp[i] += 0.1 * dv[i];
                    v[i] -= 0.1 * f.at[i];
                    dv[i] -= 0.1 * df[i];
                }
            }
            const double t = p[1] / v[1], x = p[0] - t * v[0];
            return std::array{2.0 * x * (dp[0] - t * dv[0] - v[0] * (dp[1] - t * dv[1]) / v[1])};
        });
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
