// SPDX-License-Identifier: BSL-1.0
//
// See by_hand.hpp.
#include "by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace by_hand {

void kepler(std::size_t n, const double* e, const double* mean, const double* start, double* root, int* iterations) {
    for (std::size_t i = 0; i < n; ++i) {
        double x = start[i], last = INFINITY;
        int k = 1;
        for (; k <= 100; ++k) {
            const double sine = std::sin(x), cosine = std::cos(x);
            const double change = (x - e[i] * sine - mean[i]) / (1 - e[i] * cosine);
            x -= change;
            const double size = std::abs(x), moved = std::abs(change);
            if (moved <= 0x1p-52 * size || (moved >= last && moved <= 1e-8 * size)) break;
            last = moved;
        }
        root[i] = x;
        iterations[i] = k;
    }
}

double price(double s, double k) {
    const double d = std::abs(k), root_half = std::sqrt(0.5);
    return std::exp(-d / 2) * (0.5 * std::erfc(root_half * (d / s - s / 2))) -
           std::exp(d / 2) * (0.5 * std::erfc(root_half * (d / s + s / 2)));
}
double start(double k, double c) { return 2.5066282746310002 * c + 1.5 * std::abs(k) / std::sqrt(-2 * std::log(c)); }

void volatilities(std::size_t n, const double* k, const double* c, const double* start, double* root, int* iterations) {
    const double root_half = std::sqrt(0.5), inverse_root_of_two_pi = 0.3989422804014327;
    for (std::size_t i = 0; i < n; ++i) {
        // What does not change in the search is computed before it.
        const double d = std::abs(k[i]), up = std::exp(d / 2), down = 1 / up, wanted = 1 / std::log(c[i]);
        double s = start[i], last = INFINITY;
        int count = 1;
        for (; count <= 100; ++count) {
            const double a = d / s - s / 2;
            const double value =
                down * (0.5 * std::erfc(root_half * a)) - up * (0.5 * std::erfc(root_half * (d / s + s / 2)));
            const double vega = down * inverse_root_of_two_pi * std::exp(-0.5 * a * a);
            const double logarithm = std::log(value);
            // The derivative of 1 / log(value) is -vega / (value log(value)^2).
            const double change = (1 / logarithm - wanted) * -(value * logarithm * logarithm) / vega;
            s -= change;
            const double size = std::abs(s), moved = std::abs(change);
            if (moved <= 1e-13 * size || (moved >= last && moved <= 1e-8 * size)) break;
            last = moved;
        }
        root[i] = s;
        iterations[i] = count;
    }
}

namespace {

/// Half the sum of squares, J^T r and the upper triangle of J^T J.
struct sums {
    double value, gradient[3], matrix[6];
};
sums evaluated(std::size_t m, const double* times, const double* counts, const double* p) {
    sums all{};
    for (std::size_t i = 0; i < m; ++i) {
        const double e = std::exp(-p[1] * times[i]);
        const double r = counts[i] - (p[0] * e + p[2]);
        const double ja = -e, jb = p[0] * times[i] * e;
        all.value += 0.5 * r * r;
        all.gradient[0] += ja * r;
        all.gradient[1] += jb * r;
        all.gradient[2] -= r;
        all.matrix[0] += ja * ja;
        all.matrix[1] += ja * jb;
        all.matrix[2] -= ja;
        all.matrix[3] += jb * jb;
        all.matrix[4] -= jb;
        all.matrix[5] += 1;
    }
    return all;
}

} // namespace

void exponentials(std::size_t n, std::size_t m, const double* times, const double* counts, double* found) {
    for (std::size_t i = 0; i < n; ++i) {
        double p[3] = {2, 1, 0.5}, trial[3] = {2, 1, 0.5}, step[3] = {}, scale[3] = {};
        double damping = 1e-3, growth = 2, predicted = 0, last = INFINITY;
        sums best{};
        for (int k = 1; k <= 500; ++k) {
            const sums now = evaluated(m, times, counts + i * m, trial);
            const double gain = best.value - now.value, least = 3.7e-11 * best.value;
            const bool fresh = k == 1, rounding = predicted <= least && std::abs(gain) <= 4 * least;
            const bool better = std::isfinite(now.value) && (fresh || gain > 0 || rounding);
            if (better) {
                const double ratio = rounding ? 1 : gain / predicted, t = 2 * ratio - 1;
                if (!fresh) damping *= std::max(1.0 / 3, 1 - t * t * t);
                growth = 2;
                best = now;
                std::copy_n(trial, 3, p);
            } else {
                damping *= growth;
                growth *= 2;
            }
            double length = 0, whole = 0;
            for (int j = 0; j < 3; ++j) {
                length += scale[j] * step[j] * step[j];
                whole += scale[j] * p[j] * p[j];
            }
            if (!fresh && (length <= 1e-20 * whole || (rounding && length >= last))) break;
            last = rounding ? length : INFINITY;
            scale[0] = std::max(scale[0], best.matrix[0]);
            scale[1] = std::max(scale[1], best.matrix[3]);
            scale[2] = std::max(scale[2], best.matrix[5]);
            // L D L^T of the damped matrix.
            const double* const a = best.matrix;
            const double d0 = 1 / (a[0] + damping * scale[0]), l10 = a[1] * d0, l20 = a[2] * d0;
            const double d1 = 1 / (a[3] + damping * scale[1] - l10 * a[1]), e21 = a[4] - l10 * a[2], l21 = e21 * d1;
            const double d2 = 1 / (a[5] + damping * scale[2] - l20 * a[2] - l21 * e21);
            const double b0 = -best.gradient[0], b1 = -best.gradient[1] - l10 * b0;
            const double b2 = -best.gradient[2] - l20 * b0 - l21 * b1;
            step[2] = b2 * d2;
            step[1] = b1 * d1 - l21 * step[2];
            step[0] = b0 * d0 - l10 * step[1] - l20 * step[2];
            predicted = 0;
            for (int j = 0; j < 3; ++j) {
                trial[j] = p[j] + step[j];
                predicted += 0.5 * step[j] * (damping * scale[j] * step[j] - best.gradient[j]);
            }
        }
        std::copy_n(p, 3, found + 3 * i);
    }
}

} // namespace by_hand
