// SPDX-License-Identifier: BSL-1.0
// expect: no matching function for call to 'clamp
#include <chainrule/chainrule.hpp>

#include <algorithm>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto x) { return std::clamp(x, 0.0, 1.0); });
#else
constexpr auto F = cr::function([](auto x) { return clamp(x, 0.0, 1.0); });
#endif

inline double of_clamp() {
    const auto [value, gradient, hessian] = F.value_gradient_and_hessian(2.0);
    const std::array<double, 1> again = F.gradient(2.0), product = F.hvp(std::array{2.0}, std::array{1.0});
    return value + gradient[0] + hessian[0][0] + again[0] + product[0] + F(2.0) + F.hessian(2.0)[0][0];
}
