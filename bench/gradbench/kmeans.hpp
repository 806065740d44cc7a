// SPDX-License-Identifier: BSL-1.0
//
// kmeans: squared distances of points from the nearest of k centroids. The result is Newton's direction: the gradient
// with respect to the centroids over the diagonal of the Hessian, which is diagonal. So its product with ones will do.
#pragma once

#include <limits>

#include "eval.hpp"

namespace gradbench {

struct kmeans {
    static constexpr auto name = "kmeans";
    std::size_t n, k, d;
    numbers seen, point; // points and centroids, row by row

    static kmeans of_size(std::size_t n, std::size_t k, std::size_t d) {
        const numbers all = random_numbers(n * d);
        return {n, k, d, all, numbers(all.end() - static_cast<std::ptrdiff_t>(k * d), all.end())};
    }
    static kmeans read(std::istream& in) {
        const std::size_t n = read_size(in), k = read_size(in), d = read_size(in);
        numbers seen = read_numbers(in, n * d);
        return {n, k, d, std::move(seen), read_numbers(in, k * d)};
    }

    /// The square of the distance of point i to a centroid.
    template <class T>
    [[nodiscard]] T squared_distance(std::size_t i, const T* centroid) const {
        T distance = 0.0;
        for (std::size_t l = 0; l < d; ++l) {
            const T apart = seen[i * d + l] - centroid[l];
            distance += apart * apart;
        }
        return distance;
    }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        using T = number_of<List>;
        T cost = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            T nearest = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < k; ++j) {
                const T distance = squared_distance(i, &x[j * d]);
                if (distance < nearest) nearest = distance;
            }
            cost += nearest;
        }
        return cost;
    }

    /// The centroid that is nearest to point i.
    [[nodiscard]] std::size_t nearest_to(std::size_t i) const {
        std::size_t nearest = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < k; ++j) {
            const double distance = squared_distance(i, &point[j * d]);
            if (distance < least) {
                least = distance;
                nearest = j;
            }
        }
        return nearest;
    }
    void by_hand(numbers& result) const {
        numbers sums(k * d), sizes(k);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t nearest = nearest_to(i);
            sizes[nearest] += 1.0;
            for (std::size_t l = 0; l < d; ++l) sums[nearest * d + l] += seen[i * d + l];
        }
        result.resize(k * d);
        for (std::size_t j = 0; j < k * d; ++j) result[j] = point[j] - sums[j] / sizes[j / d];
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
