// SPDX-License-Identifier: BSL-1.0
//
// More evals as we advise: determinants as one kernel, a mixture as a sum over components, and distances from centroids
// by a kernel of one point.
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>

#include "../workloads/mixture_kernel.hpp"
#include "det.hpp"
#include "gmm.hpp"
#include "kmeans.hpp"

namespace gradbench {

namespace {

template <std::size_t Order>
void gradient_of_determinant(const numbers& point, numbers& result) {
    constexpr auto determinant =
        chainrule::function<Order * Order>([](const auto& x) { return det::minor(Order, x, 0, (1U << Order) - 1U); });
    result.resize(Order * Order);
    std::array<double, Order * Order> x;
    std::ranges::copy(point, x.begin());
    std::ranges::copy(determinant.gradient(x), result.begin());
}

template <std::size_t Dimensions>
void gradient_of_mixture(const gmm& eval, numbers& result) {
    const std::size_t k = eval.k, d = eval.d, triangle = gmm::triangle(d);
    const workloads::mixture_layout layout{k, k, k + k * d, d, k + 2 * k * d, triangle};
    result.resize(eval.point.size());
    (void)workloads::mixture_kernel<Dimensions>::value_and_gradient(chainrule::table(eval.seen.data(), eval.n, d),
                                                                    static_cast<double>(eval.n), eval.gamma, eval.m,
                                                                    layout, eval.point.data(), result.data());
}

} // namespace

bool det::by_kernel(numbers& result) const {
    if (order == 5)
        gradient_of_determinant<5>(point, result);
    else if (order == 6)
        gradient_of_determinant<6>(point, result);
    else
        return false;
    return true;
}

bool gmm::by_kernel(numbers& result) const {
    if (d == 2)
        gradient_of_mixture<2>(*this, result);
    else if (d == 10)
        gradient_of_mixture<10>(*this, result);
    else
        return false;
    return true;
}

/// The kernel of one point; which centroid is nearest is found as by hand. The direction of Newton's method needs the
/// gradient and, as the Hessian is diagonal, its product with ones.
bool kmeans::by_kernel(numbers& result) const {
    constexpr std::size_t dimensions = 8;
    if (d != dimensions) return false;
    static constexpr auto distance = chainrule::function<2 * dimensions>([](const auto& both) {
        auto sum = chainrule::square(both[dimensions] - both[0]);
        for (std::size_t i = 1; i < dimensions; ++i) sum += chainrule::square(both[dimensions + i] - both[i]);
        return sum;
    });
    numbers curvature(k * d);
    result.assign(k * d, 0.0);
    std::array<double, 2 * dimensions> both, direction{};
    std::fill_n(direction.begin(), dimensions, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t nearest = nearest_to(i);
        std::copy_n(&seen[i * d], dimensions, std::copy_n(&point[nearest * d], dimensions, both.begin()));
        const auto gradient = distance.gradient(both);
        const auto product = distance.hvp(both, direction);
        for (std::size_t l = 0; l < dimensions; ++l) {
            result[nearest * d + l] += gradient[l];
            curvature[nearest * d + l] += product[l];
        }
    }
    for (std::size_t j = 0; j < k * d; ++j) result[j] /= curvature[j];
    return true;
}

} // namespace gradbench
