// SPDX-License-Identifier: BSL-1.0
//
// Derivatives from values alone: central differences, extrapolated to step zero (Ridders, "Accurate computation of
// F'(x) and F'(x)F''(x)", Advances in Engineering Software 4, 1982).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace reference {

struct estimate {
    long double value = 0;
    long double error = HUGE_VALL;
};

/// f'(x) from points at most `radius` away.
template <class F>
estimate difference_quotient(const F& f, long double x, long double radius) {
    constexpr std::size_t steps = 12;
    constexpr long double ratio = 1.6L;
    std::array<std::array<long double, steps>, steps> table{};
    estimate best;
    long double h = radius;
    for (std::size_t i = 0; i < steps; ++i, h /= ratio) {
        const long double above = x + h, below = x - h;
        table[i][0] = (f(above) - f(below)) / (above - below);
        long double factor = ratio * ratio;
        for (std::size_t k = 1; k <= i; ++k, factor *= ratio * ratio) {
            table[i][k] = (table[i][k - 1] * factor - table[i - 1][k - 1]) / (factor - 1);
            const long double error =
                std::fmax(std::abs(table[i][k] - table[i][k - 1]), std::abs(table[i][k] - table[i - 1][k - 1]));
            if (error < best.error) best = {table[i][k], error};
        }
    }
    return best;
}

} // namespace reference
