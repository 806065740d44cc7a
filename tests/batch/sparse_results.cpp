// SPDX-License-Identifier: BSL-1.0
//
// Results of a batch without their zeros, Hessians of weighted sums and third derivatives: those of the function at
// each point, whatever the memory.
#include "catch.hpp"

#include <chainrule/batch.hpp>

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

constexpr auto F = cr::function(x * x * sin(y) + exp(z) * y * y, cr::wrt(x, y, z));
constexpr auto G = cr::function(cr::vector(x * exp(-y), y + 3 * z, z* z* z + x), cr::wrt(x, y, z));
constexpr auto linear = cr::function(x + 2 * y - z, cr::wrt(x, y, z));

constexpr std::size_t n = 21; // whole registers and a rest, on every processor

struct points {
    std::vector<double> xs, ys, zs;
    points() {
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = static_cast<double>(i);
            xs.push_back(0.5 + at / 7);
            ys.push_back(1.25 - at / 9);
            zs.push_back(0.1 * at - 1);
        }
    }
    [[nodiscard]] std::array<double, 3> operator[](std::size_t i) const { return {xs[i], ys[i], zs[i]}; }
};

Approx near(double number) {
    return Approx(number)
        .epsilon(64 * std::numeric_limits<double>::epsilon())
        .margin(64 * std::numeric_limits<double>::epsilon());
}

/// Calls write with so many columns, and returns them.
template <std::size_t Count, class Write>
std::array<std::vector<double>, Count> in_columns(const Write& write) {
    std::array<std::vector<double>, Count> all;
    for (auto& column : all) column.resize(n);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        write(cr::column(all[K])...);
    }(std::make_index_sequence<Count>{});
    return all;
}

} // namespace

TEST_CASE("batch: Jacobians and Hessians without their zeros", "[batch]") {
    const points p;
    const auto in = cr::columns(p.xs, p.ys, p.zs);
    const auto jacobian = cr::batch(G).sparse_jacobian(in);
    const auto hessian = cr::batch(F).sparse_hessian(in);
    static_assert(decltype(jacobian)::numbers == 6 && decltype(hessian)::numbers == 7);
    std::vector<double> rows(8 * n, -1.0); // a number of each row is left
    cr::batch(F, cr::threads(2)).sparse_hessian(in, cr::rows(rows, 8));
    for (std::size_t i = 0; i < n; ++i) {
        const auto jacobian_here = G.sparse_jacobian(p[i]);
        for (std::size_t k = 0; k < jacobian_here.size(); ++k) CHECK(jacobian(i, k) == near(jacobian_here[k]));
        const auto hessian_here = F.sparse_hessian(p[i]);
        for (std::size_t k = 0; k < hessian_here.size(); ++k) {
            CHECK(hessian(i, k) == near(hessian_here[k]));
            CHECK(rows[8 * i + k] == hessian(i, k));
        }
        CHECK(rows[8 * i + 7] == -1.0);
    }
    CHECK(cr::batch(linear).sparse_hessian(in).size() == n); // of no numbers
}

TEST_CASE("batch: Hessians of weighted sums, for one set of weights and several", "[batch]") {
    const points p;
    const auto in = cr::columns(p.xs, p.ys, p.zs);
    const std::array weights{1.0, -2.0, 0.5};
    const auto b = cr::batch(G);
    const auto one = b.lagrangian_hessian(in, weights);
    const auto two = b.lagrangian_hessian(in, cr::several(weights, cr::columns(p.ys, p.zs, p.xs)));
    const auto sparse = b.sparse_lagrangian_hessian(in, cr::columns(p.ys, p.zs, p.xs));
    const auto sparse_two = b.sparse_lagrangian_hessian(in, cr::several(weights, cr::columns(p.ys, p.zs, p.xs)));
    const auto triangle =
        in_columns<6>([&](const auto&... columns) { b.lagrangian_hessian(in, weights, cr::columns(columns...)); });
    for (std::size_t i = 0; i < n; ++i) {
        const std::array own{p.ys[i], p.zs[i], p.xs[i]};
        const auto here = G.lagrangian_hessian(p[i], weights), there = G.lagrangian_hessian(p[i], own);
        for (std::size_t j = 0, at = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) {
                CHECK(one(i, j, k) == near(here[j][k]));
                CHECK(two(i, 0, j, k) == near(here[j][k]));
                CHECK(two(i, 1, j, k) == near(there[j][k]));
                if (k >= j) CHECK(triangle[at++][i] == one(i, j, k));
            }
        const auto first = G.sparse_lagrangian_hessian(p[i], weights), second = G.sparse_lagrangian_hessian(p[i], own);
        for (std::size_t k = 0; k < first.size(); ++k) {
            CHECK(sparse(i, k) == near(second[k]));
            CHECK(sparse_two(i, 0, k) == near(first[k]));
            CHECK(sparse_two(i, 1, k) == near(second[k]));
        }
    }
}

TEST_CASE("batch: third derivatives, all and those in ascending order", "[batch]") {
    const points p;
    const auto b = cr::batch(F);
    const auto in = cr::columns(p.xs, p.ys, p.zs);
    const auto all = b.third_derivatives(in);
    const auto ascending =
        in_columns<10>([&](const auto&... columns) { b.third_derivatives(in, cr::columns(columns...)); });
    for (std::size_t i = 0; i < n; ++i) {
        const auto here = F.third_derivatives(p[i]);
        for (std::size_t j = 0, at = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) {
                    CHECK(all(i, j, k, l) == near(here[j][k][l]));
                    if (j <= k && k <= l) CHECK(ascending[at++][i] == all(i, j, k, l));
                }
    }
}
