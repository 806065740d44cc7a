// SPDX-License-Identifier: BSL-1.0
//
// The hand-written code of workloads with data once more, in its best form with SIMD: one row of the data per lane, in
// the compiler's vectors, with libmvec's exp and log. Beside by_hand, which is written for one row after the other.
#pragma once

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/batch/lanes/transpose.hpp>

#include <algorithm>

#include "gaussian_mixture.hpp"
#include "logistic_regression.hpp"

namespace workloads {

using lanes = chainrule::batches::widest<double>;
inline constexpr std::size_t width = chainrule::batches::lane_count<lanes>;

/// by_hand in lanes; not defined for workloads without data.
template <class Workload>
struct in_lanes;

template <>
struct in_lanes<logistic_regression> {
    using workload = logistic_regression;
    static constexpr std::size_t weights = workload::weights;
    static_assert(workload::points % width == 0);

    static value_and_gradient<weights> by_hand(const workload::data& seen, const point<weights>& w) {
        namespace batches = chainrule::batches;
        lanes sum = 0.0, slopes[weights];
        for (lanes& slope : slopes) slope = 0.0;
        for (std::size_t i = 0; i < workload::points; i += width) {
            lanes row[weights], product = 0.0;
            batches::load_rows<weights>(row, seen.x[i].data(), weights, seen.x.back().data() + weights);
            for (std::size_t j = 0; j < weights; ++j) product += lanes(w[j]) * row[j];
            const lanes t = batches::load<lanes>(&seen.label[i]), power = exp(-t * product);
            sum += log(lanes(1.0) + power);
            const lanes slope = -t * (power / (lanes(1.0) + power));
            for (std::size_t j = 0; j < weights; ++j) slopes[j] += slope * row[j];
        }
        constexpr auto n = static_cast<double>(workload::points);
        value_and_gradient<weights> result{batches::sum_of(sum) / n, {}};
        for (std::size_t j = 0; j < weights; ++j) result.gradient[j] = batches::sum_of(slopes[j]) / n;
        return result;
    }
};

template <>
struct in_lanes<gaussian_mixture> {
    using workload = gaussian_mixture;
    static constexpr std::size_t d = workload::dimensions, components = workload::components;
    static constexpr std::size_t triangle = workload::triangle;
    static constexpr std::size_t block = 40 / width; // registers of rows that stay in the cache
    static_assert(workload::points % (block * width) == 0);

    /// A component: its factor, column by column from the diagonal on, the factor times the mean, and the constant.
    struct component {
        double factor[triangle], shift[d], constant;
    };
    struct sums {
        lanes factor[triangle], image[d], weight;
    };

    /// Q x - Q mu.
    [[gnu::always_inline]] static void image_of(const component& q, const lanes* x, lanes* image) {
#pragma GCC unroll 10
        for (std::size_t i = 0; i < d; ++i) image[i] = -lanes(q.shift[i]);
#pragma GCC unroll 10
        for (std::size_t j = 0; j < d; ++j)
#pragma GCC unroll 10
            for (std::size_t i = j; i < d; ++i) image[i] += lanes(q.factor[place(i, j)]) * x[j];
    }
    static constexpr std::size_t place(std::size_t i, std::size_t j) { return j * d - j * (j + 1) / 2 + i; }

    static value_and_gradient<workload::inputs> by_hand(const workload::data& given, const point<workload::inputs>& x) {
        namespace batches = chainrule::batches;
        const double gamma2 = given.gamma * given.gamma;
        static std::array<component, components> all;
        static std::array<sums, components> found;
        double value = 0.0;
        for (std::size_t k = 0; k < components; ++k) {
            const double* const parameters = x.data() + workload::first_factor + k * triangle;
            const double* below = parameters + d;
            double squares = 0.0, log_determinant = 0.0;
            for (double& number : all[k].shift) number = 0.0;
            for (std::size_t j = 0; j < d; ++j) {
                log_determinant += parameters[j];
                for (std::size_t i = j; i < d; ++i) {
                    const double entry = i == j ? std::exp(parameters[j]) : *below++;
                    all[k].factor[place(i, j)] = entry;
                    all[k].shift[i] += entry * x[workload::first_mean + k * d + j];
                    squares += entry * entry;
                }
            }
            all[k].constant = x[k] + log_determinant;
            value += given.m * log_determinant - 0.5 * gamma2 * squares;
            for (lanes& sum : found[k].factor) sum = 0.0;
            for (lanes& sum : found[k].image) sum = 0.0;
            found[k].weight = 0.0;
        }

        lanes rows[block][d], terms[components][block], likelihood = 0.0;
        for (std::size_t first = 0; first < workload::points; first += block * width) {
            for (std::size_t b = 0; b < block; ++b)
                batches::load_rows<d>(rows[b], given.seen[first + b * width].data(), d, given.seen.back().data() + d);
            for (std::size_t k = 0; k < components; ++k)
                for (std::size_t b = 0; b < block; ++b) {
                    lanes image[d], squares = 0.0;
                    image_of(all[k], rows[b], image);
                    for (const lanes& number : image) squares += number * number;
                    terms[k][b] = lanes(all[k].constant) - lanes(0.5) * squares;
                }
            for (std::size_t b = 0; b < block; ++b) {
                lanes largest = terms[0][b], sum = 0.0;
                for (std::size_t k = 1; k < components; ++k)
                    largest = select(terms[k][b] > largest, terms[k][b], largest);
                for (std::size_t k = 0; k < components; ++k) sum += terms[k][b] = exp(terms[k][b] - largest);
                likelihood += log(sum) + largest;
                const lanes over_sum = lanes(1.0) / sum;
                for (std::size_t k = 0; k < components; ++k) terms[k][b] *= over_sum;
            }
            for (std::size_t k = 0; k < components; ++k) {
                sums& to = found[k];
                for (std::size_t b = 0; b < block; ++b) {
                    const lanes weight = terms[k][b];
                    lanes image[d];
                    image_of(all[k], rows[b], image);
                    to.weight += weight;
#pragma GCC unroll 10
                    for (std::size_t i = 0; i < d; ++i) to.image[i] += image[i] *= weight;
#pragma GCC unroll 10
                    for (std::size_t j = 0; j < d; ++j)
#pragma GCC unroll 10
                        for (std::size_t i = j; i < d; ++i) to.factor[place(i, j)] += image[i] * rows[b][j];
                }
            }
        }

        value_and_gradient<workload::inputs> result;
        double largest = x[0], sum = 0.0;
        for (std::size_t k = 1; k < components; ++k) largest = std::max(largest, x[k]);
        for (std::size_t k = 0; k < components; ++k) sum += std::exp(x[k] - largest);
        constexpr auto n = static_cast<double>(workload::points);
        result.value = value + batches::sum_of(likelihood) - n * (std::log(sum) + largest);
        for (std::size_t k = 0; k < components; ++k) {
            const double weight = batches::sum_of(found[k].weight);
            result.gradient[k] = weight - n * std::exp(x[k] - largest) / sum;
            double image[d];
            for (std::size_t i = 0; i < d; ++i) image[i] = batches::sum_of(found[k].image[i]);
            double* const to = result.gradient.data() + workload::first_factor + k * triangle;
            double* below = to + d;
            for (std::size_t j = 0; j < d; ++j) {
                const double mean = x[workload::first_mean + k * d + j];
                double by_mean = 0.0;
                for (std::size_t i = j; i < d; ++i) {
                    const double entry = all[k].factor[place(i, j)];
                    by_mean += entry * image[i];
                    const double by_entry =
                        image[i] * mean - batches::sum_of(found[k].factor[place(i, j)]) - gamma2 * entry;
                    if (i == j)
                        to[j] = by_entry * entry + weight + given.m;
                    else
                        *below++ = by_entry;
                }
                result.gradient[workload::first_mean + k * d + j] = by_mean;
            }
        }
        return result;
    }
};

} // namespace workloads
