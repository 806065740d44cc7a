// SPDX-License-Identifier: BSL-1.0
//
// The log-likelihood of a Gaussian mixture as in ADBench (Srajer, Kukelova, Fitzgibbon 2018), ten dimensions, 25
// components, 1000 points, without the terms that have no parameter:
//   sum_i log sum_k exp(alpha_k + log|Q_k| - |Q_k (x_i - mu_k)|^2/2) - n log sum_k exp(alpha_k)
//   + sum_k (m log|Q_k| - gamma^2 |Q_k|^2/2)                                                      (the Wishart prior)
// Q_k is lower triangular. Inputs: all alphas, all means, and for each Q_k the logarithms of its diagonal, then what is
// below the diagonal, column by column.
#pragma once

#include <algorithm>
#include <limits>

#include "results.hpp"

namespace workloads {

struct gaussian_mixture {
    static constexpr auto name = "Gaussian mixture, d 10, k 25, n 1000";
    static constexpr std::size_t dimensions = 10, components = 25, points = 1000;
    static constexpr std::size_t triangle = dimensions * (dimensions + 1) / 2;
    static constexpr std::size_t first_mean = components, first_factor = first_mean + components * dimensions;
    static constexpr std::size_t inputs = first_factor + components * triangle;
    static constexpr point<inputs> at = [] {
        seeded random(1);
        point<inputs> parameters{};
        for (std::size_t i = 0; i < first_mean; ++i) parameters[i] = random.between(-1.0, 1.0);
        for (std::size_t i = first_mean; i < first_factor; ++i) parameters[i] = random.between(0.0, 1.0);
        for (std::size_t i = first_factor; i < inputs; ++i) parameters[i] = random.between(-0.5, 0.8);
        return parameters;
    }();
    struct data {
        std::array<std::array<double, dimensions>, points> seen = [] {
            seeded random(2);
            std::array<std::array<double, dimensions>, points> all{};
            for (auto& point : all)
                for (auto& coordinate : point) coordinate = random.between(0.0, 1.0);
            return all;
        }();
        double gamma = 1.0, m = 2.0;
    };

    template <class T>
    static T log_sum_exp(const T* x) {
        using std::exp, std::log;
        T largest = x[0];
        for (std::size_t k = 1; k < components; ++k)
            if (x[k] > largest) largest = x[k];
        T sum(0.0);
        for (std::size_t k = 0; k < components; ++k) sum += exp(x[k] - largest);
        return log(sum) + largest;
    }

    template <class T>
    static T ordinary(const data& given, const T* x) {
        using std::exp;
        const T* const means = x + first_mean;
        const T* const factors = x + first_factor;
        std::array<T, components * dimensions> diagonals;
        std::array<T, components> log_determinants, terms;
        T squares(0.0), sum_of_logs(0.0);
        for (std::size_t k = 0; k < components; ++k) {
            const T* const factor = factors + k * triangle;
            log_determinants[k] = 0.0;
            for (std::size_t i = 0; i < dimensions; ++i) {
                T& entry = diagonals[k * dimensions + i];
                entry = exp(factor[i]);
                log_determinants[k] += factor[i];
                squares += entry * entry;
            }
            for (std::size_t i = dimensions; i < triangle; ++i) squares += factor[i] * factor[i];
            sum_of_logs += log_determinants[k];
        }

        T likelihood(0.0);
        std::array<T, dimensions> apart, image;
        for (const auto& point : given.seen) {
            for (std::size_t k = 0; k < components; ++k) {
                for (std::size_t i = 0; i < dimensions; ++i) apart[i] = point[i] - means[k * dimensions + i];
                for (std::size_t i = 0; i < dimensions; ++i) image[i] = diagonals[k * dimensions + i] * apart[i];
                const T* below = factors + k * triangle + dimensions;
                for (std::size_t j = 0; j < dimensions; ++j)
                    for (std::size_t i = j + 1; i < dimensions; ++i) image[i] += *below++ * apart[j];
                T distance2 = 0.0;
                for (std::size_t i = 0; i < dimensions; ++i) distance2 += image[i] * image[i];
                terms[k] = x[k] + log_determinants[k] - 0.5 * distance2;
            }
            likelihood += log_sum_exp(terms.data());
        }
        likelihood -= static_cast<double>(points) * log_sum_exp(x);
        return likelihood + given.m * sum_of_logs - 0.5 * given.gamma * given.gamma * squares;
    }

    static value_and_gradient<inputs> by_hand(const data& given, const point<inputs>& x) {
        // Rows of twelve, the last two zero, so that loops over a row are three vectors.
        constexpr std::size_t width = 12;
        using row = std::array<double, width>;
        using matrix = std::array<row, dimensions>; // its columns, zero above the diagonal
        const double gamma2 = given.gamma * given.gamma;

        alignas(64) std::array<matrix, components> factors{}, d_factors{};
        alignas(64) std::array<row, components> means{}, d_distances{};
        std::array<double, components> constants, weight_sums{};
        double value = 0.0;
        for (std::size_t k = 0; k < components; ++k) {
            const double* const parameters = x.data() + first_factor + k * triangle;
            const double* below = parameters + dimensions;
            double squares = 0.0, log_determinant = 0.0;
            for (std::size_t j = 0; j < dimensions; ++j) {
                means[k][j] = x[first_mean + k * dimensions + j];
                log_determinant += parameters[j];
                row& column = factors[k][j];
                column[j] = std::exp(parameters[j]);
                for (std::size_t i = j + 1; i < dimensions; ++i) column[i] = *below++;
                for (std::size_t i = j; i < dimensions; ++i) squares += column[i] * column[i];
            }
            constants[k] = x[k] + log_determinant;
            value += given.m * log_determinant - 0.5 * gamma2 * squares;
        }

        alignas(64) std::array<row, components> apart{}, image;
        std::array<double, components> terms;
        for (const auto& point : given.seen) {
            alignas(64) row padded{};
            for (std::size_t i = 0; i < dimensions; ++i) padded[i] = point[i];
            double largest = -std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < components; ++k) {
                row difference, sum{};
                for (std::size_t i = 0; i < width; ++i) difference[i] = padded[i] - means[k][i];
                apart[k] = difference;
#pragma GCC unroll 10
                for (std::size_t j = 0; j < dimensions; ++j)
#pragma GCC unroll 12
                    for (std::size_t i = j / 4 * 4; i < width; ++i) sum[i] += factors[k][j][i] * difference[j];
                image[k] = sum;
                std::array<double, 4> parts;
                for (std::size_t i = 0; i < 4; ++i)
                    parts[i] = sum[i] * sum[i] + sum[i + 4] * sum[i + 4] + sum[i + 8] * sum[i + 8];
                terms[k] = constants[k] - 0.5 * ((parts[0] + parts[1]) + (parts[2] + parts[3]));
                largest = std::max(largest, terms[k]);
            }
            double sum = 0.0;
            for (std::size_t k = 0; k < components; ++k) sum += terms[k] = std::exp(terms[k] - largest);
            value += std::log(sum) + largest;

            const double over_sum = 1.0 / sum;
            for (std::size_t k = 0; k < components; ++k) {
                const double weight = terms[k] * over_sum;
                weight_sums[k] += weight;
                // With the sign changed, and not yet multiplied by the transposed factor: once is enough, at the end.
                row d_image;
                for (std::size_t i = 0; i < width; ++i) d_image[i] = weight * image[k][i];
                for (std::size_t i = 0; i < width; ++i) d_distances[k][i] += d_image[i];
#pragma GCC unroll 10
                for (std::size_t j = 0; j < dimensions; ++j)
#pragma GCC unroll 12
                    for (std::size_t i = j / 4 * 4; i < width; ++i) d_factors[k][j][i] += d_image[i] * apart[k][j];
            }
        }

        value_and_gradient<inputs> result;
        double largest = x[0], sum = 0.0;
        for (std::size_t k = 1; k < components; ++k) largest = std::max(largest, x[k]);
        for (std::size_t k = 0; k < components; ++k) sum += terms[k] = std::exp(x[k] - largest);
        result.value = value - static_cast<double>(points) * (std::log(sum) + largest);
        const double points_over_sum = static_cast<double>(points) / sum;
        for (std::size_t k = 0; k < components; ++k) {
            result.gradient[k] = weight_sums[k] - points_over_sum * terms[k];
            double* const d_parameters = result.gradient.data() + first_factor + k * triangle;
            double* d_below = d_parameters + dimensions;
            for (std::size_t j = 0; j < dimensions; ++j) {
                const row &column = factors[k][j], &d_column = d_factors[k][j];
                double d_mean = 0.0;
                for (std::size_t i = j; i < dimensions; ++i) d_mean += column[i] * d_distances[k][i];
                result.gradient[first_mean + k * dimensions + j] = d_mean;
                d_parameters[j] = weight_sums[k] + given.m - (d_column[j] + gamma2 * column[j]) * column[j];
                for (std::size_t i = j + 1; i < dimensions; ++i) *d_below++ = -(d_column[i] + gamma2 * column[i]);
            }
        }
        return result;
    }
};

} // namespace workloads
