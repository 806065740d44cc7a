// SPDX-License-Identifier: BSL-1.0
//
// Third derivatives of a function of a size between those that one evaluation and that several derive: against the
// Taylor coefficient along a direction.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cstddef>

namespace {

namespace cr = chainrule;

constexpr auto F = cr::function([](auto x, auto y, auto z) {
    const auto b = y / z;
    const auto c = x * x - b * b, d = c - y;
    const auto l = log(1.0 + c * c), g = d * d;
    const auto s = sqrt(g * g + l * l);
    return d * s * (y + c) * (y - c) * (g / exp(-(x * x) / 2.0)) + z * l;
});
static_assert(cr::operation_count<cr::request::values>(F).total > 18);

constexpr std::array at{1.0, 2.0, 3.0}, direction{0.5, -1.0, 0.25};
constexpr double along() {
    const auto all = F.third_derivatives(at);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) sum += all[i][j][k] * direction[i] * direction[j] * direction[k];
    return sum;
}
constexpr double ratio = along() / (6 * F.taylor<3>(at, direction)[3]);
static_assert(ratio > 1 - 1e-12 && ratio < 1 + 1e-12);

} // namespace
