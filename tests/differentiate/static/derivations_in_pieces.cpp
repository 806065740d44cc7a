// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a few hundred operations that take several constant evaluations, with the compilers' default options.
#include "system_of_three.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>

namespace {

namespace cr = chainrule;

// The residual of a point in a picture of a camera with a rotation vector, a position, a focal length and two
// distortions, as it is written for other libraries.
struct reprojection {
    template <class T>
    constexpr bool operator()(const T* camera, const T* point, T* residual) const {
        using std::cos, std::sin, std::sqrt;
        const T angle = sqrt(camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2]);
        const T c = cos(angle), s = sin(angle);
        const T w[3] = {camera[0] / angle, camera[1] / angle, camera[2] / angle};
        const T along = (w[0] * point[0] + w[1] * point[1] + w[2] * point[2]) * (T(1.0) - c);
        T p[3];
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            p[i] = point[i] * c + (w[j] * point[k] - w[k] * point[j]) * s + w[i] * along + camera[3 + i];
        }
        const T x = -p[0] / p[2], y = -p[1] / p[2], r = x * x + y * y;
        const T distortion = 1.0 + r * (camera[7] + camera[8] * r);
        residual[0] = camera[6] * distortion * x - 10.5;
        residual[1] = camera[6] * distortion * y - 3.0;
        return true;
    }
};
constexpr auto residuals = cr::function<cr::inputs<9, 3>>(reprojection{});
// No entry for twice the focal length, twice the second distortion, or both distortions.
static_assert(residuals.lagrangian_hessian_sparsity().size() == 12 * 12 - 5);

} // namespace

std::array<std::array<double, 12>, 12> of_sum(const std::array<double, 12>& x, const std::array<double, 2>& weights) {
    return residuals.lagrangian_hessian(x, weights);
}
auto entries_of_sum(const std::array<double, 12>& x, const std::array<double, 2>& weights) {
    return residuals.sparse_lagrangian_hessian(x, weights);
}
std::array<std::array<double, 3>, 3> after_seventy(const std::array<double, 3>& x,
                                                   const std::array<double, 2>& weights) {
    return after_steps<70>.lagrangian_hessian(x, weights);
}
