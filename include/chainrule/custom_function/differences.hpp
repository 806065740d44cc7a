// SPDX-License-Identifier: BSL-1.0
//
// Numerical differentiation: extrapolated central differences, with an error estimate.
#pragma once

#include <limits>

namespace chainrule::detail {

constexpr double distance_from_zero(double x) { return x < 0 ? -x : x; }

/// The derivative of g at x from central differences with the steps h, h/2, h/4, ..., extrapolated to the step 0
/// (Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", 1982), and an error bound: the largest change by the
/// last extrapolation, plus the effect on the quotient of rounding the values to half a unit in the last place. (No
/// objects of class type here: g++ 12 sets them to zero at run time after a failed constant evaluation.)
template <class G>
constexpr void extrapolate_differences(G g, double x, double h, int steps, double& slope, double& error) {
    constexpr int most = 10;
    const double unknown = std::numeric_limits<double>::max();
    double row_slope[most + 2] = {}, row_error[most + 2] = {}, previous[most] = {}, current[most] = {};
    for (double& e : row_error) e = unknown;
    int best = 0;
    double scale = 0;
    for (int n = 0; n < steps && n < most; ++n, h /= 2) {
        const double right = x + h, left = x - h, a = g(right), b = g(left);
        current[0] = (a - b) / (right - left);
        const double size =
            distance_from_zero(a) > distance_from_zero(b) ? distance_from_zero(a) : distance_from_zero(b);
        if (n == 0) scale = size / h;
        const double rounding = 4 * std::numeric_limits<double>::epsilon() * size / h;
        double power = 1;
        for (int m = 1; m <= n; ++m) {
            power *= 4;
            current[m] = current[m - 1] + (current[m - 1] - previous[m - 1]) / (power - 1);
            const double by_step = distance_from_zero(current[m] - current[m - 1]);
            const double by_size = distance_from_zero(current[m] - previous[m - 1]);
            const double change = (by_step > by_size ? by_step : by_size) + rounding;
            if (change < row_error[n + 1]) {
                row_slope[n + 1] = current[m];
                row_error[n + 1] = change;
            }
        }
        for (int m = 0; m <= n; ++m) previous[m] = current[m];
        if (row_error[n + 1] < row_error[best]) best = n + 1;
    }
    slope = row_slope[best];
    error = unknown;
    // For rough values, two quotients may agree by chance, but hardly those of another step too.
    const double agreement = 1e-3 * (distance_from_zero(slope) + scale);
    for (int row = best > 0 ? best - 1 : 0; row <= best + 1; row += 2)
        if (row_error[row] < unknown && distance_from_zero(row_slope[row] - slope) <= agreement)
            error = row_error[best];
}

} // namespace chainrule::detail
