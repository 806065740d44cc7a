// SPDX-License-Identifier: BSL-1.0
//
// Derivatives reuse the sums of values that they are multiples of, also if irrational factors made these multiples, so
// that the ratio of two of their coefficients is no longer a fraction.
#include <chainrule/chainrule.hpp>

#include <cstddef>
#include <type_traits>

namespace {

namespace cr = chainrule;

/// x'Ax / (sqrt(8) b'x) log(...), with a symmetric matrix A: its gradient needs 2 Ax.
constexpr auto energy = cr::function<6>([](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    constexpr double a[6][6] = {{0.432, 0.255, 0.505, 0.767, 0.150, 0.175}, {0.255, 0.697, 0.160, 0.620, 0.320, 0.139},
                                {0.505, 0.160, 0.347, 0.193, 0.665, 0.535}, {0.767, 0.620, 0.193, 0.329, 0.746, 0.743},
                                {0.150, 0.320, 0.665, 0.746, 0.151, 0.327}, {0.175, 0.139, 0.535, 0.743, 0.327, 0.397}};
    auto sum = 0.0 * x[0], bx = 0.0 * x[0];
    for (std::size_t i = 0; i < 6; ++i) {
        auto row = a[i][0] * x[0];
        for (std::size_t j = 1; j < 6; ++j) row += a[i][j] * x[j];
        sum += x[i] * row;
        bx += (0.021 + 0.003 * static_cast<double>(i)) * x[i];
    }
    const T root = sqrt(T(2));
    return sum / (sqrt(T(8)) * bx) * log((T(1) + (T(1) + root) * bx) / (T(1) + (T(1) - root) * bx));
});

// 42 products of Ax more if it is computed again.
static_assert(cr::operation_count < cr::request::values | cr::request::jacobians > (energy).total <= 82);

} // namespace
