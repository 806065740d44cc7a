// SPDX-License-Identifier: BSL-1.0
//
// Reductions over rows of data against traced code that loops over the same rows: the term of a row, and the comparison
// of the values and derivatives.
#pragma once

#include "rows.hpp"
#include "catch.hpp"

#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>

namespace {

namespace cr = chainrule;

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;

using sums::counts, sums::rows, sums::times;

struct term {
    constexpr auto operator()(auto at, auto count, auto p, auto q) const { return count * exp(p * at) - q * q * at; }
};
constexpr auto f = y * exp(a * t) - b * b * t;

void check_close(double found, double expected) {
    CHECK(std::abs(found - expected) <= 2e-14 * (1 + std::abs(expected)));
}

// What a loop gives at the point. Not inlined: each loop is compiled once.
constexpr std::array<double, 2> at = {0.7, -0.3};
struct results {
    double value;
    std::array<double, 2> gradient;
    std::array<std::array<double, 2>, 2> hessian;
};
template <class Loop>
[[gnu::noinline]] results results_of() {
    constexpr auto loop = cr::function(Loop{});
    const auto [value, gradient, hessian] = loop.value_gradient_and_hessian(at);
    return {value, gradient, hessian};
}

void check_all(const auto& found, const results& expected) {
    constexpr std::array<double, 2> along = {1.5, -0.25};
    check_close(found(at), expected.value);
    const auto gradient = found.gradient(at);
    const auto hessian = found.hessian(at);
    const auto first = found.value_and_gradient(at);
    const auto second = found.value_gradient_and_hessian(at);
    check_close(first.value, expected.value);
    check_close(second.value, expected.value);
    const auto product = found.hvp(at, along);
    const auto lower = found.lower_hessian(at);
    std::size_t place = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        check_close(gradient[i], expected.gradient[i]);
        check_close(first.gradient[i], expected.gradient[i]);
        check_close(second.gradient[i], expected.gradient[i]);
        check_close(product[i], expected.hessian[i][0] * along[0] + expected.hessian[i][1] * along[1]);
        for (std::size_t j = 0; j < 2; ++j) {
            check_close(hessian[i][j], expected.hessian[i][j]);
            check_close(second.hessian[i][j], expected.hessian[i][j]);
            if (j <= i) check_close(lower[place++], expected.hessian[i][j]);
        }
    }
}

} // namespace
