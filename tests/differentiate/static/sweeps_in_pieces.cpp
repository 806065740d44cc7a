// SPDX-License-Identifier: BSL-1.0
//
// Sweeps of some thousand operations, and third derivatives, that take several constant evaluations, with the
// compilers' default options.
#include "system_of_three.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>

#include <array>

namespace {

namespace cr = chainrule;

// A product of two coordinates of a vector after a rotation.
constexpr auto rotated = cr::function<3>([](const auto& q) {
    using number = std::remove_cvref_t<decltype(q[0])>;
    const auto u = rotate(cr::fixed_vector<number, 3>{1.0, 2.0, 3.0}, cr::fixed_vector<number, 3>{q[0], q[1], q[2]});
    return u[0] * u[1];
});

} // namespace

// 3,000 operations are more than derivatives of several outputs may have.
std::array<double, 3> with_weights(const std::array<double, 3>& x, const std::array<double, 2>& weights) {
    return after_steps<430>.vjp(x, weights);
}
std::array<std::array<double, 3>, 2> jacobian(const std::array<double, 3>& x) { return after_steps<200>.jacobian(x); }
std::array<std::array<double, 3>, 2> coefficients(const std::array<double, 3>& x) {
    return after_steps<150>.taylor<2>(x, x);
}
auto thirds(double a, double b, double c) { return rotated.third_derivatives(a, b, c); }
