// SPDX-License-Identifier: BSL-1.0
//
// Compiled recordings whose sparse derivatives have the pattern of the recording, and those that call functions of the
// program, which have no code in C.
#include "catch.hpp"
#include "sentence.hpp"
#include "tape/private_cache.hpp"

#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <span>
#include <vector>

namespace {

namespace tape = chainrule::tape;

constexpr auto ring = [](const auto& x) {
    std::vector<std::remove_cvref_t<decltype(x[0])>> y;
    const std::size_t n = x.size();
    for (std::size_t i = 0; i + 2 < n; ++i) y.push_back(x[i] * sin(x[i + 1]) - max(x[i], x[i + 2]));
    y.push_back(x[0] + x[n - 1]);
    return y;
};
constexpr auto energy = [](const auto& x) {
    std::remove_cvref_t<decltype(x[0])> s = x[0];
    for (std::size_t i = 0; i + 1 < x.size(); ++i) s += x[i] * x[i] * sin(x[i + 1]) + 3.0 * x[i];
    if (x[0] > 0.0) s += x[0] * x[3];
    return s;
};
std::vector<double> point_of(std::size_t size, double from) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.17 * static_cast<double>(i % 11));
    return x;
}
void close(const tape::sparse_matrix<double>& found, const tape::sparse_matrix<double>& expected) {
    CHECK(found.pattern.columns == expected.pattern.columns);
    CHECK(found.pattern.row_starts == expected.pattern.row_starts);
    REQUIRE(found.entries.size() == expected.entries.size());
    for (std::size_t i = 0; i < found.entries.size(); ++i)
        CHECK(found.entries[i] == Approx(expected.entries[i]).epsilon(1e-12).margin(1e-14));
}

} // namespace

TEST_CASE("compiled sparse Jacobians are those of the recording", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options();
    options.sparse = true;
    auto r = tape::record(ring, point_of(9, 0.3));
    auto k = tape::compile(r, options);
    CHECK(k.jacobian_sparsity().columns == r.jacobian_sparsity().columns);
    for (const double from : {0.3, -1.0, 2.5}) {
        const auto x = point_of(9, from);
        close(k.sparse_jacobian(x), r.sparse_jacobian(x));
        std::vector<double> entries(r.jacobian_sparsity().size());
        k.sparse_jacobian(std::span(x), entries);
        CHECK(entries == k.sparse_jacobian(x).entries);
        CHECK(k(x) == r(x));
        const auto all = k.value_and_jacobian(x), expected = r.value_and_jacobian(x);
        CHECK(all.values == expected.values);
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 9; ++j)
                CHECK(all.jacobian(i, j) == Approx(expected.jacobian(i, j)).margin(1e-14));
    }
    CHECK(sentence_of([&] { k.sparse_jacobian(point_of(9, 0.3), std::span<double>()); }) ==
          "sparse_jacobian: the recording has 23 entries in its pattern and 0 are given; give as many as it has");
    auto dense = tape::compile(r, cache.options());
    CHECK(sentence_of([&] { (void)dense.sparse_jacobian(point_of(9, 0.3)); }) ==
          "sparse_jacobian: sparse derivatives were not compiled; ask for them: compile(r, {.sparse = true})");
}

TEST_CASE("compiled sparse Hessians are those of the recording, with its comparisons", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options(true);
    options.sparse = true;
    auto r = tape::record(energy, point_of(8, 0.3));
    auto k = tape::compile(r, options);
    for (const double from : {0.3, 1.7}) {
        const auto x = point_of(8, from);
        close(k.sparse_hessian(x), r.sparse_hessian(x));
        close(k.sparse_jacobian(x), r.sparse_jacobian(x));
        CHECK(k.sparse_hessian(x)(3, 0) == Approx(1.0));
        const auto all = k.hessian(x), expected = r.hessian(x);
        for (std::size_t i = 0; i < 8; ++i) {
            CHECK(all.gradient[i] == Approx(expected.gradient[i]));
            CHECK(k.gradient(x)[i] == all.gradient[i]);
            for (std::size_t j = 0; j < 8; ++j)
                CHECK(all.hessian(i, j) == Approx(expected.hessian(i, j)).margin(1e-14));
        }
    }
    CHECK_THROWS_AS(k.sparse_hessian(point_of(8, -0.3)), tape::comparison_changed);
    CHECK_THROWS_AS(k.sparse_jacobian(point_of(8, -0.3)), tape::comparison_changed);
    options.hessians = false;
    auto first = tape::compile(r, options);
    CHECK(contains(sentence_of([&] { (void)first.sparse_hessian(point_of(8, 0.3)); }),
                   "ask for them: compile(r, {.hessians = true, .sparse = true})"));
}

TEST_CASE("compiled code calls special functions of the program", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto f = [](const auto& x) { return lgamma(x[0]) * x[1] + j0(x[1]) + gamma_p(x[0], x[1]) * digamma(x[0]); };
    auto r = tape::record(f, std::array{2.0, 1.5});
    CHECK(contains(sentence_of([&] { (void)tape::compile(r, cache.options()); }),
                   "which has no code in C; let the code call this program: compile(r, {.functions = "
                   "tape::special_functions()})"));
    CHECK(cache.size() == 0);
    auto options = cache.options(true);
    options.functions = tape::special_functions();
    for (const bool again : {false, true}) {
        auto k = tape::compile(r, options);
        CHECK(k.was_kept() == again);
        for (const std::array<double, 2>& x : {std::array{2.0, 1.5}, std::array{0.7, 4.0}}) {
            CHECK(k(x) == r(x));
            const auto found = k.hessian(x), expected = r.hessian(x);
            for (std::size_t i = 0; i < 2; ++i) {
                CHECK(found.gradient[i] == Approx(expected.gradient[i]).epsilon(1e-12));
                for (std::size_t j = 0; j < 2; ++j)
                    CHECK(found.hessian[i][j] == Approx(expected.hessian[i][j]).epsilon(1e-11));
            }
        }
    }
}
