// SPDX-License-Identifier: BSL-1.0
//
// The problems: dense Hessians, products of a Hessian with a direction, sparse Hessians and sparse Jacobians. A
// problem is a function object that is generic in the number type, with
//   name              its row in the table
//   at()              the point; direction(), of products
// The contestants (contestant.hpp) compute them.
#pragma once

#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../workloads/black_scholes.hpp"
#include "../workloads/helmholtz.hpp"
#include "../workloads/logistic_regression.hpp"
#include "../workloads/mixed_operations.hpp"
#include "../workloads/reprojection.hpp"
#include "../workloads/rosenbrock.hpp"

namespace second_order {

using numbers = std::vector<double>;

/// The request: a problem inherits one of these.
struct hessian {}; // with the value and the gradient, which Newton's method needs too
struct product {};
struct sparse_hessian {};
struct sparse_jacobian {};

template <class Problem, class Asked>
inline constexpr bool asks = std::is_base_of_v<Asked, Problem>;

/// The number type of a list.
template <class List>
using number_of = std::remove_cvref_t<decltype(std::declval<List&>()[0])>;

inline numbers seeded_numbers(std::size_t count, unsigned seed, double low, double high) {
    workloads::seeded random(seed);
    numbers all(count);
    for (double& each : all) each = random.between(low, high);
    return all;
}

/// The data of a workload: not constant, so that no compiler computes with it.
template <class Workload>
inline typename Workload::data given{};

/// A workload of the other benchmarks.
template <class Workload>
struct of_workload {
    using workload = Workload;
    static constexpr std::size_t size = Workload::at.size();
    static numbers at() { return {Workload::at.begin(), Workload::at.end()}; }

    template <class List>
    number_of<const List> operator()(const List& x) const {
        return Workload::template ordinary<number_of<const List>>(given<Workload>, x.data());
    }
};

struct helmholtz_hessian : hessian, of_workload<workloads::helmholtz_stored> {
    static constexpr auto name = "Hessian: Helmholtz, n = 10, stored numbers";
};
template <std::size_t N>
struct rosenbrock_hessian : hessian, of_workload<workloads::rosenbrock_of<N>> {
    static constexpr auto name = N == 10 ? "Hessian: Rosenbrock, n = 10" : "Hessian: Rosenbrock, n = 50";
};
struct mixed_operations_hessian : hessian, of_workload<workloads::mixed_operations> {
    static constexpr auto name = "Hessian: 100 mixed operations, 12 variables";
};
struct black_scholes_hessian : hessian, of_workload<workloads::black_scholes> {
    static constexpr auto name = "Hessian: Black-Scholes call, 15 greeks";
};

/// Half the squared norm of the residual.
struct reprojection_hessian : hessian, of_workload<workloads::reprojection> {
    static constexpr auto name = "Hessian: reprojection, half the squared norm, n = 15";

    template <class List>
    number_of<const List> operator()(const List& x) const {
        using T = number_of<const List>;
        const auto error = workload::ordinary<T>(given<workload>, x.data());
        return T(0.5 * (error[0] * error[0] + error[1] * error[1]));
    }
};

/// Rosenbrock's valley in as many variables as the point has.
struct chained_rosenbrock {
    template <class List>
    number_of<const List> operator()(const List& x) const {
        using T = number_of<const List>;
        T sum(0.0);
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const T rise = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
            sum += 100.0 * (rise * rise) + rest * rest;
        }
        return sum;
    }
};

struct rosenbrock_product : product, chained_rosenbrock {
    static constexpr auto name = "product: Rosenbrock, n = 10 000";
    static numbers at() { return seeded_numbers(10'000, 5, -1.5, 1.5); }
    static numbers direction() { return seeded_numbers(10'000, 6, -1.0, 1.0); }
};

struct logistic_regression_product : product, of_workload<workloads::logistic_regression> {
    static constexpr auto name = "product: logistic regression, 10 000 points";
    static numbers direction() { return seeded_numbers(size, 6, -1.0, 1.0); }
};

template <std::size_t N>
struct rosenbrock_sparse : sparse_hessian, chained_rosenbrock {
    static constexpr auto name = N == 50     ? "sparse Hessian: Rosenbrock, n = 50"
                                 : N == 1000 ? "sparse Hessian: Rosenbrock, n = 1000"
                                             : "sparse Hessian: Rosenbrock, n = 10 000";
    static constexpr std::size_t size = N;
    static numbers at() { return seeded_numbers(N, 5, -1.5, 1.5); }
};

/// The area of a surface over a square grid of `side` by `side` heights, two triangles in each cell: the Hessian has
/// seven entries in a row.
struct minimal_surface : sparse_hessian {
    static constexpr auto name = "sparse Hessian: minimal surface, 50 x 50";
    static constexpr std::size_t side = 50;
    static numbers at() { return seeded_numbers(side * side, 7, 0.0, 0.05); }
    static constexpr double over_width_squared = (side - 1.0) * (side - 1.0);

    template <class List>
    number_of<const List> operator()(const List& x) const {
        using T = number_of<const List>;
        using std::sqrt;
        T area(0.0);
        for (std::size_t i = 0; i + 1 < side; ++i)
            for (std::size_t j = 0; j + 1 < side; ++j) {
                const std::size_t k = i * side + j;
                const T a = x[k + 1] - x[k], b = x[k + side] - x[k];
                const T c = x[k + side + 1] - x[k + side], d = x[k + side + 1] - x[k + 1];
                area += sqrt(1.0 + over_width_squared * (a * a + b * b));
                area += sqrt(1.0 + over_width_squared * (c * c + d * d));
            }
        return T(area * (0.5 / over_width_squared));
    }
};

/// Bratu's equation -u'' = exp(u) on a square, zero at its border, by the stencil of five points.
template <std::size_t Side>
struct bratu : sparse_jacobian {
    static constexpr auto name =
        Side == 8 ? "sparse Jacobian: five-point stencil, 8 x 8" : "sparse Jacobian: five-point stencil, 50 x 50";
    static constexpr std::size_t side = Side, size = Side * Side;
    static numbers at() { return seeded_numbers(size, 8, 0.0, 1.0); }
    static constexpr double width_squared = 1.0 / ((Side + 1.0) * (Side + 1.0));

    /// The equation of one point of the grid, from its neighbours, where it has them.
    template <class T>
    static constexpr auto equation(const T& u, auto&& neighbour) {
        using std::exp;
        T sum = 4.0 * u - width_squared * exp(u);
        neighbour([&](const T& v) { sum = sum - v; });
        return sum;
    }

    template <class List>
    static constexpr auto equation_of(const List& u, std::size_t i, std::size_t j) {
        using T = number_of<const List>;
        return equation<T>(u[i * side + j], [&](auto&& subtract) {
            if (i > 0) subtract(u[(i - 1) * side + j]);
            if (j > 0) subtract(u[i * side + j - 1]);
            if (j + 1 < side) subtract(u[i * side + j + 1]);
            if (i + 1 < side) subtract(u[(i + 1) * side + j]);
        });
    }

    template <class List>
    std::vector<number_of<const List>> operator()(const List& u) const {
        std::vector<number_of<const List>> all(size);
        for (std::size_t i = 0; i < side; ++i)
            for (std::size_t j = 0; j < side; ++j) all[i * side + j] = equation_of(u, i, j);
        return all;
    }
};

using all_problems =
    std::tuple<helmholtz_hessian, rosenbrock_hessian<10>, rosenbrock_hessian<50>, mixed_operations_hessian,
               black_scholes_hessian, reprojection_hessian, rosenbrock_product, logistic_regression_product,
               rosenbrock_sparse<50>, rosenbrock_sparse<1000>, rosenbrock_sparse<10'000>, minimal_surface, bratu<8>,
               bratu<50>>;

} // namespace second_order
