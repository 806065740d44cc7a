// SPDX-License-Identifier: BSL-1.0
//
// Functions with many results, which g++ must not collect into vectors one by one or keep in memory: packing.py looks
// for the instructions that do so.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <array>

namespace cr = chainrule;
using active = cr::tape::active<double>;

constexpr auto ratios = cr::function<10>([](const auto& x) {
    auto sum = 0.5 * x[0];
    for (std::size_t i = 0; i < 9; ++i) sum = sum + x[i] * exp(x[i + 1]) / (1.0 + x[i] * x[i]);
    return sum;
});
constexpr auto product = cr::function([](auto a, auto b, auto c, auto d) { return a * b * sin(c * d) / (a + c); });

auto stored_gradient(const std::array<double, 10>& x) { return ratios.gradient(x); }
auto stored_value_and_gradient(const std::array<double, 10>& x) { return ratios.value_and_gradient(x); }
auto stored_hessian(double a, double b, double c, double d) { return product.hessian(a, b, c, d); }
// Two rows of five entries from many operations, most of which are not alike.
constexpr auto turned = cr::function([](auto angle, auto x, auto y, auto z, auto scale) {
    auto depth = z + x * sin(angle) - y * cos(angle);
    auto across = (x * cos(angle) + y * sin(angle)) / depth;
    auto along = (scale * y - x * z) / depth;
    auto distortion = 1.0 + scale * (across * across + along * along);
    return std::array{across * distortion * scale, along * distortion - angle};
});
auto alone_jacobian(double a, double x, double y, double z, double s) { return turned.jacobian(a, x, y, z, s); }
auto stored_statement(const std::array<double, 8>& x, const std::array<active, 8>& w) {
    return active(w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3] + w[4] * x[4] + w[5] * x[5] + w[6] * x[6] +
                  w[7] * x[7]);
}

// Statements whose partial derivatives have two parts: what is stored apart is not loaded at once for a while.
using with_tangent = chainrule::tape::active<chainrule::dual<double, 1>>;
with_tangent dual_difference(double a, const with_tangent& x) { return a - x; }
with_tangent dual_product(const with_tangent& x, const with_tangent& y) { return x * y; }
with_tangent dual_quotient(const with_tangent& x, const with_tangent& y) { return x / y; }
void dual_square(with_tangent& sum, const with_tangent& x) { sum += x * x; }
