// SPDX-License-Identifier: BSL-1.0
//
// gmm: the posterior density of a mixture of k Gaussians in d dimensions at n points, as in ADBench. Gradient with
// respect to the weights alpha, the means, and the logarithms of the diagonals and the lower triangles of the factors
// of the inverse covariances. Constants, which no derivative has, are left out of the objective; protocol.py adds them.
#pragma once

#include <algorithm>
#include <array>

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

    /// With the dimensions known where they are few, or as many as ADBench has.
    void by_hand(numbers& result) const {
        if (d == 2)
            by_hand_in<2>(result);
        else if (d == 10)
            by_hand_in<10>(result);
        else if (d == 64)
            by_hand_in<64>(result);
        else
            by_hand_in_any(result);
    }
    /// Rows are padded with zeros to whole vectors of four, and columns of a factor begin with zeros.
    template <std::size_t D>
    void by_hand_in(numbers& result) const {
        constexpr std::size_t width = (D + 3) / 4 * 4;
        using row = std::array<double, width>;
        using matrix = std::array<row, D>;
        const double gamma2 = gamma * gamma;
        const double *const given_means = &point[k], *const logs = given_means + k * D, *below = logs + k * D;
        std::vector<matrix> factors(k, matrix{}), d_factors(k, matrix{});
        std::vector<row> means(k, row{}), d_distances(k, row{}), aparts(k, row{}), images(k, row{});
        numbers constants(k), terms(k), weights(k);
        for (std::size_t j = 0; j < k; ++j) {
            constants[j] = point[j];
            for (std::size_t c = 0; c < D; ++c) {
                means[j][c] = given_means[j * D + c];
                constants[j] += logs[j * D + c];
                factors[j][c][c] = std::exp(logs[j * D + c]);
                for (std::size_t i = c + 1; i < D; ++i) factors[j][c][i] = *below++;
            }
        }
        for (std::size_t p = 0; p < n; ++p) {
            row padded{};
            std::copy_n(&seen[p * D], D, padded.begin());
            for (std::size_t j = 0; j < k; ++j) {
                row apart, image{};
                for (std::size_t i = 0; i < width; ++i) apart[i] = padded[i] - means[j][i];
#pragma GCC unroll 10
                for (std::size_t c = 0; c < D; ++c)
                    for (std::size_t i = c / 4 * 4; i < width; ++i) image[i] += factors[j][c][i] * apart[c];
                std::array<double, 4> parts{};
                for (std::size_t i = 0; i < width; i += 4)
                    for (std::size_t l = 0; l < 4; ++l) parts[l] += image[i + l] * image[i + l];
                terms[j] = constants[j] - 0.5 * ((parts[0] + parts[1]) + (parts[2] + parts[3]));
                aparts[j] = apart;
                images[j] = image;
            }
            softmax(terms);
            for (std::size_t j = 0; j < k; ++j) {
                weights[j] += terms[j];
                row d_image;
                const row apart = aparts[j];
                for (std::size_t i = 0; i < width; ++i) d_image[i] = terms[j] * images[j][i];
                for (std::size_t i = 0; i < width; ++i) d_distances[j][i] += d_image[i];
#pragma GCC unroll 10
                for (std::size_t c = 0; c < D; ++c)
                    for (std::size_t i = c / 4 * 4; i < width; ++i) d_factors[j][c][i] += d_image[i] * apart[c];
            }
        }
        numbers alphas(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(k));
        softmax(alphas);
        result.resize(point.size());
        double *const d_means = &result[k], *const d_logs = d_means + k * D, *d_below = d_logs + k * D;
        for (std::size_t j = 0; j < k; ++j) {
            result[j] = weights[j] - static_cast<double>(n) * alphas[j];
            for (std::size_t c = 0; c < D; ++c) {
                const row &column = factors[j][c], &d_column = d_factors[j][c];
                double d_mean = 0.0; // by the transposed factor: once is enough, here
                for (std::size_t i = c; i < D; ++i) d_mean += column[i] * d_distances[j][i];
                d_means[j * D + c] = d_mean;
                d_logs[j * D + c] = weights[j] + m - (d_column[c] + gamma2 * column[c]) * column[c];
                for (std::size_t i = c + 1; i < D; ++i) *d_below++ = -(d_column[i] + gamma2 * column[i]);
            }
        }
    }
    void by_hand_in_any(numbers& result) const {
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
