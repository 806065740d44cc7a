// SPDX-License-Identifier: BSL-1.0
//
// The entries of a sparse Hessian of many variables, against their formula.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>

namespace {

namespace cr = chainrule;

constexpr std::size_t size = 120;
// Rosenbrock's function.
constexpr auto valley = cr::function<size>([](const auto& x) {
    auto sum = (1.0 - x[0]) * (1.0 - x[0]);
    for (std::size_t i = 0; i + 1 < size; ++i) {
        if (i > 0) sum += (1.0 - x[i]) * (1.0 - x[i]);
        const auto rise = x[i + 1] - x[i] * x[i];
        sum += 100.0 * rise * rise;
    }
    return sum;
});

} // namespace

TEST_CASE("A sparse Hessian of many variables has the entries of its formula") {
    std::array<double, size> x;
    for (std::size_t i = 0; i < size; ++i) x[i] = 0.3 + 0.01 * static_cast<double>(i * i % 37);
    const auto entries = valley.sparse_hessian(x);
    constexpr auto pattern = valley.hessian_sparsity();
    static_assert(pattern.size() == 3 * size - 2);
    for (std::size_t i = 0; i < size; ++i)
        for (int k = pattern.row_starts[i]; k < pattern.row_starts[i + 1]; ++k) {
            const auto place = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(pattern.columns[place]);
            double expected = -400.0 * x[i < j ? i : j];
            if (i == j)
                expected = (i + 1 < size ? 2.0 + 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] : 0.0) + (i > 0 ? 200.0 : 0.0);
            CHECK(entries[place] == Approx(expected).epsilon(1e-13));
        }
}
