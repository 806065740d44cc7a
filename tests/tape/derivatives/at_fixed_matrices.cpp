// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions at fixed vectors and matrices: the function gets such of active numbers, and gradients and
// products have their types.
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>

namespace {

namespace tape = chainrule::tape;
using vector = chainrule::fixed_vector<double, 2>;
using matrix = chainrule::fixed_matrix<double, 2>;

constexpr vector at{1.0, 2.0}, first{1.0, 0.0};
constexpr auto cubic = [](const auto& v) { return dot(v, v) * v[0]; };
constexpr auto scaled = [](const auto& v) { return v * v[0]; };
constexpr auto log_determinant = [](const auto& a) { return a(0, 0) > 0.0 ? log_det(cholesky(a)) : log_det(a); };

TEST_CASE("derivatives at a fixed vector") {
    const vector gradient = tape::gradient(cubic, at);
    CHECK(gradient == vector{7.0, 4.0});
    const auto second = tape::hessian(cubic, at);
    CHECK(second.gradient == gradient);
    CHECK(second.hessian == std::array{std::array{6.0, 4.0}, std::array{4.0, 2.0}});
    const auto [values, rows] = tape::value_and_jacobian(scaled, at);
    CHECK(values == vector{1.0, 2.0});
    CHECK(chainrule::fixed_matrix{rows} == matrix{{2, 0}, {2, 1}});
    const vector along = tape::jvp(scaled, at, first), weighted = tape::vjp(scaled, at, first),
                 product = tape::hvp(cubic, at, first);
    CHECK(along == vector{2.0, 2.0});
    CHECK(weighted == vector{2.0, 0.0});
    CHECK(product == vector{6.0, 4.0});
    CHECK(tape::sparse_jacobian(scaled, at)(1, 0) == 2.0);
    const auto squares = [](const auto& v) { return squared_norm(tape::gradient(cubic, v)); };
    CHECK(tape::gradient(squares, at) == vector{116.0, 72.0});
}

TEST_CASE("the gradient at a fixed matrix") {
    constexpr matrix a{{4, 1}, {1, 3}};
    const matrix gradient = tape::gradient(log_determinant, a);
    CHECK(std::abs(gradient(0, 0) - 3.0 / 11.0) < 1e-15);
    CHECK(std::abs(gradient(1, 0) + 2.0 / 11.0) < 1e-15);
    CHECK(tape::gradient(tape::eagerly(log_determinant), a) == gradient);
    auto r = tape::record(log_determinant, a);
    CHECK(r(a) == log_determinant(a));
    const matrix replayed = r.gradient(a);
    CHECK(norm(replayed - gradient) < 1e-15);
}

} // namespace
