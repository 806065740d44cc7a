// SPDX-License-Identifier: BSL-1.0
//
// Hessians that are mostly zero everywhere: they are filled with zeros, and their program writes the other entries.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <new>

namespace {

namespace cr = chainrule;

constexpr std::size_t size = 9;
using point = std::array<double, size>;
// Linear in the last variable; the first and the last row have zeros between entries.
constexpr auto F = cr::function<size>([](const auto& x) {
    auto sum = x[0] * x[7] + x[8];
    for (std::size_t i = 0; i + 2 < size; ++i) sum += sin(x[i]) * x[i + 1];
    return sum;
});
constexpr point at = {0.3, -0.8, 1.2, 0.5, -1.1, 0.9, 0.2, 1.7, -0.6};

std::array<point, size> expected_at(const point& x) {
    std::array<point, size> h{};
    for (std::size_t i = 0; i + 2 < size; ++i) {
        h[i][i] = -std::sin(x[i]) * x[i + 1];
        h[i][i + 1] = h[i + 1][i] = std::cos(x[i]);
    }
    h[0][7] = h[7][0] = 1;
    return h;
}

template <class Matrix>
void check_entries(const Matrix& found, double factor, double tolerance) {
    const auto expected = expected_at(at);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) {
            CAPTURE(i, j);
            CHECK(std::abs(static_cast<double>(found[i][j]) - factor * expected[i][j]) <= tolerance);
            if (expected[i][j] == 0) CHECK(!std::signbit(found[i][j]));
        }
}

/// What compute() returns, constructed in memory whose bytes are not zero.
template <class Compute>
auto in_used_memory(const Compute& compute) {
    using result = decltype(compute());
    alignas(result) unsigned char memory[sizeof(result)];
    std::memset(memory, 0x40, sizeof memory);
    return *::new (memory) result(compute());
}

// The outputs that its program does not write.
constexpr unsigned second_order = cr::request::values | cr::request::jacobians | cr::request::hessians;
using zeros = cr::detail::zeros_of_hessian<decltype(F)::code<cr::request::hessians>, 0, size>;
using zeros_after_gradient = cr::detail::zeros_of_hessian<decltype(F)::code<second_order>, 1 + size, size>;
static_assert(cr::detail::are_filled_in<zeros>() && cr::detail::are_filled_in<zeros_after_gradient>());
static_assert(zeros::count() == size * size - F.hessian_sparsity().size());
static_assert(zeros_after_gradient::count() == zeros::count());
static_assert(!zeros::has(0) && !zeros::has(1) && zeros::has(2) && !zeros::has(7) && zeros::has(8));
// A long program whose outputs are mostly zero does not run on tangents.
constexpr auto chain = cr::function<40>([](const auto& x) {
    auto sum = x[0];
    for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += sin(x[i]) * x[i + 1];
    return sum;
});
static_assert(!cr::detail::runs_on_tangents<decltype(chain), 40, cr::request::hessians, double,
                                            cr::detail::symmetric_outputs<double, 40>>());

} // namespace

TEST_CASE("Hessians that are mostly zero have their zeros") {
    check_entries(in_used_memory([] { return F.hessian(at); }), 1, 1e-15);
    const auto all = in_used_memory([] { return F.value_gradient_and_hessian(at); });
    check_entries(all.hessian, 1, 1e-15);
    CHECK(all.value == F(at));
    CHECK(all.gradient == F.gradient(at));

    std::array<float, size> singles{};
    for (std::size_t i = 0; i < size; ++i) singles[i] = static_cast<float>(at[i]);
    check_entries(in_used_memory([&] { return F.hessian(singles); }), 1, 1e-6);
}

TEST_CASE("Hessians of Lagrangians that are mostly zero have their zeros") {
    constexpr auto G = cr::function<size>([](const auto& x) {
        auto sum = x[0] * x[7];
        for (std::size_t i = 0; i + 2 < size; ++i) sum += sin(x[i]) * x[i + 1];
        return std::array{sum, x[8] + x[7]};
    });
    check_entries(in_used_memory([&] { return G.lagrangian_hessian(at, std::array{0.5, 3.0}); }), 0.5, 1e-15);
}

TEST_CASE("Hessians that are mostly zero are differentiated again with dual numbers, and constants") {
    std::array<cr::dual<double, 1>, size> along;
    for (std::size_t j = 0; j < size; ++j) along[j] = at[j];
    along[1] = cr::dual_variables(at[1])[0];
    const auto matrix = F.hessian(along);
    CHECK(std::abs(matrix[0][0].tangents[0] + std::sin(at[0])) < 1e-15);
    CHECK(std::abs(matrix[1][2].tangents[0] + std::sin(at[1])) < 1e-15);
    CHECK(matrix[8][8].tangents[0] == 0);
    constexpr auto constant = F.hessian(point{});
    static_assert(constant[0][1] == 1 && constant[0][7] == 1 && constant[0][2] == 0 && constant[8][8] == 0);
}
