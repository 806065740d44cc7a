// SPDX-License-Identifier: BSL-1.0
//
// gmm: the posterior density of a mixture of k Gaussians in d dimensions at n points, as in ADBench. Gradient with
// respect to the weights alpha, the means, and the logarithms of the diagonals and the lower triangles of the factors
// of the inverse covariances. Constants, which no derivative has, are left out of the objective; protocol.py adds them.
#pragma once

#include <algorithm>

#include "eval.hpp"

namespace gradbench {

struct gmm {
    static constexpr auto name = "gmm";
    std::size_t d, k, n;
    double gamma, m; // of the Wishart prior
    numbers seen;    // n points
    numbers point;   // k weights, k means, k diagonals, k triangles column by column

    static gmm of_size(std::size_t d, std::size_t k) {
        constexpr std::size_t n = 1000;
        return {d, k, n, 1.0, 0.0, random_numbers(n * d, -1.0, 1.0), random_numbers(k * (1 + 2 * d + triangle(d)))};
    }
    static gmm read(std::istream& in) {
        const std::size_t d = read_size(in), k = read_size(in), n = read_size(in);
        const numbers prior = read_numbers(in, 2);
        numbers seen = read_numbers(in, n * d);
        return {d, k, n, prior[0], prior[1], std::move(seen), read_numbers(in, k * (1 + 2 * d + triangle(d)))};
    }

    [[nodiscard]] static constexpr std::size_t triangle(std::size_t d) { return d * (d - 1) / 2; }

    template <class T>
    static T log_sum_exp(const T* x, std::size_t count) {
        using std::exp, std::log;
        T greatest = x[0], sum = 0.0;
        for (std::size_t i = 1; i < count; ++i)
            if (greatest < x[i]) greatest = x[i];
        for (std::size_t i = 0; i < count; ++i) sum += exp(x[i] - greatest);
        return log(sum) + greatest;
    }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        using std::exp;
        using T = number_of<List>;
        const T* const means = &x[0] + k;
        const T *const logs = means + k * d, *const triangles = logs + k * d;
        std::vector<T> diagonals(k * d), sums(k, T(0.0)), terms(k), apart(d), image(d);
        T squares = 0.0, all_logs = 0.0;
        for (std::size_t i = 0; i < k * d; ++i) {
            diagonals[i] = exp(logs[i]);
            squares += diagonals[i] * diagonals[i];
            sums[i / d] += logs[i];
            all_logs += logs[i];
        }
        for (std::size_t i = 0; i < k * triangle(d); ++i) squares += triangles[i] * triangles[i];
        T sum = 0.0;
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t j = 0; j < k; ++j) {
                for (std::size_t i = 0; i < d; ++i) apart[i] = seen[p * d + i] - means[j * d + i];
                for (std::size_t i = 0; i < d; ++i) image[i] = diagonals[j * d + i] * apart[i];
                const T* below = triangles + j * triangle(d);
                for (std::size_t column = 0; column < d; ++column)
                    for (std::size_t i = column + 1; i < d; ++i) image[i] += *below++ * apart[column];
                T distance = 0.0;
                for (std::size_t i = 0; i < d; ++i) distance += image[i] * image[i];
                terms[j] = x[j] + sums[j] - 0.5 * distance;
            }
            sum += log_sum_exp(terms.data(), k);
        }
        sum -= static_cast<double>(n) * log_sum_exp(&x[0], k);
        return T(sum + m * all_logs - 0.5 * gamma * gamma * squares);
    }

    void by_hand(numbers& result) const {
        const std::size_t size = triangle(d);
        const double *const means = &point[k], *const logs = means + k * d, *const triangles = logs + k * d;
        result.assign(point.size(), 0.0);
        double *const d_means = &result[k], *const d_logs = d_means + k * d, *const d_triangles = d_logs + k * d;
        numbers diagonals(k * d), constants(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(k));
        for (std::size_t i = 0; i < k * d; ++i) {
            diagonals[i] = std::exp(logs[i]);
            constants[i / d] += logs[i];
        }
        numbers terms(k), aparts(k * d), images(k * d), weights(k);
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t j = 0; j < k; ++j) {
                double *const apart = &aparts[j * d], *const image = &images[j * d];
                for (std::size_t i = 0; i < d; ++i) apart[i] = seen[p * d + i] - means[j * d + i];
                for (std::size_t i = 0; i < d; ++i) image[i] = diagonals[j * d + i] * apart[i];
                const double* below = triangles + j * size;
                for (std::size_t column = 0; column < d; ++column)
                    for (std::size_t i = column + 1; i < d; ++i) image[i] += *below++ * apart[column];
                double distance = 0.0;
                for (std::size_t i = 0; i < d; ++i) distance += image[i] * image[i];
                terms[j] = constants[j] - 0.5 * distance;
            }
            softmax(terms);
            for (std::size_t j = 0; j < k; ++j) {
                const double weight = terms[j], *const apart = &aparts[j * d];
                weights[j] += weight;
                double *const image = &images[j * d], *below = d_triangles + j * size;
                for (std::size_t i = 0; i < d; ++i) image[i] *= -weight;
                for (std::size_t column = 0; column < d; ++column)
                    for (std::size_t i = column + 1; i < d; ++i) *below++ += image[i] * apart[column];
                for (std::size_t i = 0; i < d; ++i) {
                    d_logs[j * d + i] += image[i] * apart[i];
                    d_means[j * d + i] -= image[i]; // of the image yet: the factor is transposed once, below
                }
            }
        }
        numbers alphas(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(k));
        softmax(alphas);
        for (std::size_t j = 0; j < k; ++j) {
            result[j] = weights[j] - static_cast<double>(n) * alphas[j];
            double* const mean = d_means + j * d;
            const double* below = triangles + j * size;
            for (std::size_t column = 0; column < d; ++column) {
                const double entry = diagonals[j * d + column];
                mean[column] *= entry;
                for (std::size_t i = column + 1; i < d; ++i) mean[column] += *below++ * mean[i];
                double& log = d_logs[j * d + column];
                log = log * entry + weights[j] + m - gamma * gamma * entry * entry;
            }
        }
        for (std::size_t i = 0; i < k * size; ++i) d_triangles[i] -= gamma * gamma * triangles[i];
    }
    static void softmax(numbers& x) {
        const double greatest = *std::max_element(x.begin(), x.end());
        double sum = 0.0;
        for (double& term : x) sum += term = std::exp(term - greatest);
        for (double& term : x) term /= sum;
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
