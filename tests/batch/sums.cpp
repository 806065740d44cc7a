// SPDX-License-Identifier: BSL-1.0
//
// Sums over data, and means, products, maxima, minima and log_sum_exp, against traced code that loops over the same
// rows.
#include "rows.hpp"
#include "catch.hpp"

#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto k = cr::variable<"k">;

using sums::counts, sums::rows, sums::times;

struct term {
    constexpr auto operator()(auto at, auto count, auto p, auto q) const { return count * exp(p * at) - q * q * at; }
};
constexpr auto f = y * exp(a * t) - b * b * t;

// The same as loops.
struct looped_sum {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all += term{}(times[i], counts[i], p, q);
        return all;
    }
};
struct looped_mean {
    constexpr auto operator()(auto p, auto q) const { return looped_sum{}(p, q) / 21.0; }
};
struct looped_product {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 1.0 + 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all = all * term{}(times[i], counts[i], p, q);
        return all;
    }
};
struct looped_max {
    constexpr auto operator()(auto p, auto q) const {
        auto all = term{}(times[0], counts[0], p, q);
        for (std::size_t i = 1; i < rows; ++i) all = max(all, term{}(times[i], counts[i], p, q));
        return all;
    }
};
struct looped_min {
    constexpr auto operator()(auto p, auto q) const {
        auto all = term{}(times[0], counts[0], p, q);
        for (std::size_t i = 1; i < rows; ++i) all = min(all, term{}(times[i], counts[i], p, q));
        return all;
    }
};
struct looped_log_sum_exp {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all += exp(term{}(times[i], counts[i], p, q));
        return log(all);
    }
};

void check_close(double found, double expected) {
    CHECK(std::abs(found - expected) <= 2e-14 * (1 + std::abs(expected)));
}

void check_all(const auto& found, const auto& expected) {
    const std::array<double, 2> at = {0.7, -0.3}, along = {1.5, -0.25};
    check_close(found(at), expected(at));
    check_close(found(0.7, -0.3), expected(at));
    check_close(found(b = -0.3, a = 0.7), expected(at));
    const auto gradient = expected.gradient(at);
    const auto hessian = expected.hessian(at);
    const auto first = found.value_and_gradient(at);
    const auto second = found.value_gradient_and_hessian(at);
    check_close(first.value, expected(at));
    check_close(second.value, expected(at));
    const auto product = found.hvp(at, along);
    const auto lower = found.lower_hessian(at);
    std::size_t place = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        check_close(found.gradient(at)[i], gradient[i]);
        check_close(first.gradient[i], gradient[i]);
        check_close(second.gradient[i], gradient[i]);
        check_close(product[i], hessian[i][0] * along[0] + hessian[i][1] * along[1]);
        for (std::size_t j = 0; j < 2; ++j) {
            check_close(found.hessian(at)[i][j], hessian[i][j]);
            check_close(second.hessian[i][j], hessian[i][j]);
            if (j <= i) check_close(lower[place++], hessian[i][j]);
        }
    }
}

} // namespace

TEST_CASE("every reduction has the value and the derivatives of a loop") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::sum(f, data, cr::wrt(a, b)), cr::function(looped_sum{}));
    check_all(cr::mean(f, data, cr::wrt(a, b)), cr::function(looped_mean{}));
    check_all(cr::prod(f, data, cr::wrt(a, b)), cr::function(looped_product{}));
    check_all(cr::max(f, data, cr::wrt(a, b)), cr::function(looped_max{}));
    check_all(cr::min(f, data, cr::wrt(a, b)), cr::function(looped_min{}));
    check_all(cr::log_sum_exp(f, data, cr::wrt(a, b)), cr::function(looped_log_sum_exp{}));
}

TEST_CASE("the function of a row may be traced code, and hold parameters and stored numbers") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::sum(term{}, data, cr::wrt(a, b)), cr::function(looped_sum{}));
    auto scaled = cr::sum(0.5 * k * f, data, cr::wrt(a, b), cr::given(k = 2.0));
    check_all(scaled, cr::function(looped_sum{}));
    scaled.set(k = 4.0);
    check_close(scaled(0.7, -0.3), 2 * cr::function(looped_sum{})(0.7, -0.3));
}

TEST_CASE("a point may name vectors of variables") {
    constexpr auto p = cr::variables<"p", 3>;
    constexpr auto c = cr::variables<"c", 3>;
    constexpr auto radius = cr::variable<"radius">;
    const std::vector<std::array<double, 3>> points = {{1, 2, 2}, {2, 3, 6}, {1, 4, 8}};
    const auto fit = cr::sum(squared_norm(p - c) / radius, cr::over(p = points), cr::wrt(c, radius));
    const std::array centre{0.5, -1.0, 2.0};
    const std::vector<float> as_floats{0.5f, -1.0f, 2.0f};
    const double expected = fit(0.5, -1.0, 2.0, 4.0);
    CHECK(fit(c = centre, radius = 4.0) == expected);
    CHECK(fit(radius = 4, c = as_floats) == expected);
    CHECK(fit(c = std::array{0.5, -1.0, 2.0}, radius = 4.0) == expected);
    CHECK(fit.gradient(radius = 4.0, c = centre) == fit.gradient(0.5, -1.0, 2.0, 4.0));
}
