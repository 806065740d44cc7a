// SPDX-License-Identifier: BSL-1.0
//
// The rows of a sum: the last rows of a block, columns of several types, rows of tables, weights, masks, and rows
// that are special: ties, NaN, zero factors, exponentials that overflow. (tests/batch/sums.cpp compares with loops.)
#include "rows.hpp"
#include "catch.hpp"
#include "strided_span.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto u = cr::variable<"u">;
constexpr auto m = cr::variable<"m">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;

using sums::counts, sums::rows, sums::times;

constexpr auto f = y * exp(a * t) - b * b * t;

void check_close(double found, double expected) {
    CHECK(std::abs(found - expected) <= 2e-14 * (1 + std::abs(expected)));
}

} // namespace

TEST_CASE("what rows share may have conditions, which all lanes take") {
    for (const double at : {-1.5, 0.5}) {
        double expected = 0.0;
        for (std::size_t i = 0; i < rows; ++i)
            expected += (at > 0.0 && at < 2.0 ? std::exp(at) : -at) * times[i] + (times[i] > at ? 1.0 : 0.0);
        const auto slope = select(a > 0_c && a < 2_c, exp(a), -a);
        const auto total =
            cr::sum(slope * t + select(t > a && a > -1_c, 1_c, select(a > -1_c, 0_c, select(t > a, 1_c, 0_c))),
                    cr::over(t = times), cr::wrt(a));
        check_close(total(at), expected);
    }
}

TEST_CASE("the last rows of a block count once, whatever their number") {
    std::vector<double> numbers;
    double all = 0.0;
    const auto total = [&] { return cr::sum(a * t, cr::over(t = numbers), cr::wrt(a)).value_and_gradient(2.0); };
    for (int i = 0; i < 70; ++i) {
        const auto found = total();
        CHECK(found.value == 2.0 * all);
        CHECK(found.gradient[0] == all);
        numbers.push_back(i + 1);
        all += i + 1;
    }
}

TEST_CASE("columns may be of other types, and rows of a table") {
    constexpr auto x = cr::variables<"x", 3>;
    constexpr auto w = cr::variables<"w", 3>;
    constexpr std::size_t n = 1037;
    std::vector<std::array<double, 3>> as_rows(n);
    std::vector<double> padded(5 * n);
    std::vector<std::vector<double>> columns(3, std::vector<double>(n));
    std::vector<int> integers(n);
    std::vector<double> doubles(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            as_rows[i][j] = padded[5 * i + j] = columns[j][i] = 0.01 * static_cast<double>(i * (j + 3) % 101);
        integers[i] = static_cast<int>(i % 5);
        doubles[i] = integers[i];
    }
    const auto poisson = exp(dot(x, w)) - y * dot(x, w);
    const double at[] = {0.1, 0.2, -0.3};
    const auto expected = cr::sum(poisson, cr::over(x = columns, y = doubles), cr::wrt(w)).value_and_gradient(at);
    const auto check = [&](const auto& data) {
        const auto found = cr::sum(poisson, data, cr::wrt(w)).value_and_gradient(at);
        CHECK(found.value == expected.value);
        CHECK(found.gradient == expected.gradient);
        const auto traced = cr::sum(
            [](const auto& row, auto count, const auto& weight) {
                const auto eta = row[0] * weight[0] + row[1] * weight[1] + row[2] * weight[2];
                return exp(eta) - count * eta;
            },
            data, cr::wrt(w));
        CHECK(traced(at) == expected.value);
    };
    check(cr::over(x = as_rows, y = integers));
    check(cr::over(x = cr::table(padded.data(), n, 3, 5), y = std::span(doubles)));
    check(cr::over(x = cr::table(as_rows[0].data(), n, 3), y = integers));
    check(cr::over(x = cr::rows(padded.data(), n, 5), y = cr::column(doubles)));
    check(cr::over(x = cr::rows(padded, 5), y = cr::column(doubles.data(), n, 1)));
    spans::for_each_matrix(padded.data(), n, 3, 5, [&](const auto& span) { check(cr::over(x = span, y = integers)); });
    spans::for_each_column(doubles.data(), n, 1, [&](const auto& span) { check(cr::over(x = as_rows, y = span)); });
    check(cr::over(x = std::array{std::span(columns[0]), std::span(columns[1]), std::span(columns[2])}, y = integers));
}

TEST_CASE("rows wider than a register are read once each") {
    const auto check = []<std::size_t Columns>(std::integral_constant<std::size_t, Columns>) {
        constexpr auto x = cr::variables<"x", Columns>;
        constexpr auto w = cr::variables<"w", Columns>;
        std::vector<std::array<double, Columns>> table(67);
        std::array<double, Columns> at{}, sums{};
        for (std::size_t i = 0; i < table.size(); ++i)
            for (std::size_t j = 0; j < Columns; ++j) sums[j] += table[i][j] = static_cast<double>(100 * i + j);
        CHECK(cr::sum(dot(x, w), cr::over(x = table), cr::wrt(w)).gradient(at) == sums);
    };
    check(std::integral_constant<std::size_t, 1>{});
    check(std::integral_constant<std::size_t, 2>{});
    check(std::integral_constant<std::size_t, 5>{});
    check(std::integral_constant<std::size_t, 8>{});
    check(std::integral_constant<std::size_t, 11>{});
    check(std::integral_constant<std::size_t, 16>{});
    check(std::integral_constant<std::size_t, 21>{});
}

TEST_CASE("floats are summed as floats") {
    const std::vector<float> numbers(100, 0.5f);
    const auto total = cr::sum(a * t, cr::over(t = numbers), cr::wrt(a));
    static_assert(std::is_same_v<decltype(total(2.0f)), float>);
    CHECK(total(2.0f) == 100.0f);
}

TEST_CASE("a weight multiplies the terms of its row") {
    std::vector<double> weights(rows), sum_of_weights(1);
    for (std::size_t i = 0; i < rows; ++i) sum_of_weights[0] += weights[i] = 0.5 * static_cast<double>(i % 4);
    const auto data = cr::over(t = times, y = counts, u = weights);
    const double at[] = {0.7, -0.3};
    const auto expected = cr::sum(u * f, data, cr::wrt(a, b)).value_gradient_and_hessian(at);
    const auto found = cr::sum(f, data, cr::wrt(a, b), cr::weights(u)).value_gradient_and_hessian(at);
    check_close(found.value, expected.value);
    check_close(found.gradient[1], expected.gradient[1]);
    check_close(found.hessian[0][1], expected.hessian[0][1]);
    check_close(cr::mean(f, data, cr::wrt(a, b), cr::weights(u))(at), expected.value / sum_of_weights[0]);
    check_close(cr::log_sum_exp(f, data, cr::wrt(a, b), cr::weights(u))(at),
                std::log(cr::sum(u * exp(f), data, cr::wrt(a, b))(at)));
}

TEST_CASE("masked rows do not count, whatever they hold") {
    std::vector<double> with_nan(times.begin(), times.end());
    std::vector<unsigned char> chosen(rows, 1);
    std::vector<double> left_t, left_y;
    for (std::size_t i = 0; i < rows; ++i) {
        if (i % 3 == 1) {
            chosen[i] = 0;
            with_nan[i] = i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e308;
        } else {
            left_t.push_back(times[i]);
            left_y.push_back(counts[i]);
        }
    }
    const auto masked = cr::over(t = with_nan, y = counts, m = chosen);
    const auto left = cr::over(t = left_t, y = left_y);
    const auto check = [&](const auto& reduce) {
        const double at[] = {0.7, -0.3};
        const auto found = reduce(masked, cr::mask(m)).value_gradient_and_hessian(at);
        const auto expected = reduce(left).value_gradient_and_hessian(at);
        check_close(found.value, expected.value);
        check_close(found.gradient[0], expected.gradient[0]);
        check_close(found.hessian[1][1], expected.hessian[1][1]);
    };
    check([](const auto& d, auto... o) { return cr::sum(f, d, cr::wrt(a, b), o...); });
    check([](const auto& d, auto... o) { return cr::mean(f, d, cr::wrt(a, b), o...); });
    check([](const auto& d, auto... o) { return cr::prod(f, d, cr::wrt(a, b), o...); });
    check([](const auto& d, auto... o) { return cr::max(f, d, cr::wrt(a, b), o...); });
    check([](const auto& d, auto... o) { return cr::min(f, d, cr::wrt(a, b), o...); });
    check([](const auto& d, auto... o) { return cr::log_sum_exp(f, d, cr::wrt(a, b), o...); });
}

TEST_CASE("rows that tie for the maximum share its derivative equally") {
    const std::vector<double> slopes = {1.0, 3.0, 2.0, 8.0}, offsets = {2.0, 2.0, 2.0, 1.0};
    const auto greatest = cr::max(y + t * a, cr::over(t = slopes, y = offsets), cr::wrt(a));
    CHECK(greatest(0.0) == 2.0);
    CHECK(greatest.gradient(0.0)[0] == 2.0);
    const auto least = cr::min(t * a - y, cr::over(t = slopes, y = offsets), cr::wrt(a));
    CHECK(least(0.0) == -2.0);
    CHECK(least.gradient(0.0)[0] == 2.0);
}

TEST_CASE("a NaN among the rows reaches every reduction") {
    std::vector<double> numbers(40, 1.0);
    for (const std::size_t place : {std::size_t{0}, std::size_t{17}, std::size_t{39}}) {
        numbers.assign(40, 1.0);
        numbers[place] = std::numeric_limits<double>::quiet_NaN();
        const auto data = cr::over(t = numbers);
        CHECK(std::isnan(cr::sum(a * t, data, cr::wrt(a))(2.0)));
        CHECK(std::isnan(cr::prod(a * t, data, cr::wrt(a))(2.0)));
        CHECK(std::isnan(cr::max(a * t, data, cr::wrt(a))(2.0)));
        CHECK(std::isnan(cr::min(a * t, data, cr::wrt(a))(2.0)));
        CHECK(std::isnan(cr::log_sum_exp(a * t, data, cr::wrt(a))(2.0)));
    }
}

TEST_CASE("the derivative of a product is right where factors are zero") {
    const std::vector<double> one = {2.0, 0.0, 5.0}, two = {2.0, 0.0, 0.0};
    const auto product_of = [](const std::vector<double>& column) {
        return cr::prod(a + t, cr::over(t = column), cr::wrt(a)).value_gradient_and_hessian(0.0);
    };
    CHECK(product_of(one).value == 0.0);
    CHECK(product_of(one).gradient[0] == 10.0);
    CHECK(product_of(two).gradient[0] == 0.0);
    CHECK(product_of(two).hessian[0][0] == 4.0);
}

TEST_CASE("the weights of log_sum_exp are factors of exponentials, however large these are") {
    const std::vector<double> numbers = {3000.0, 1e6, 3001.0}, factors = {0.5, 0.0, 0.25};
    const auto data = cr::over(t = numbers, u = factors);
    const auto total = cr::log_sum_exp(a * t, data, cr::wrt(a), cr::weights(u));
    const double expected = 3000.0 + std::log(0.5 + 0.25 * std::exp(1.0));
    CHECK(total(1.0) == Approx(expected).epsilon(1e-14));
    const double share = 0.25 * std::exp(1.0) / (0.5 + 0.25 * std::exp(1.0));
    CHECK(total.gradient(1.0)[0] == Approx(3000.0 + share).epsilon(1e-14));
    std::vector<double> slopes(3);
    CHECK(total.value_and_column_gradient(t, slopes, 1.0) == Approx(expected).epsilon(1e-14));
    CHECK(slopes[2] == Approx(share).epsilon(1e-14));
    CHECK(slopes[1] == 0.0);
}

TEST_CASE("log_sum_exp does not overflow") {
    const std::vector<double> large = {1000.0, 1001.0, 999.0};
    const auto found = cr::log_sum_exp(a * t, cr::over(t = large), cr::wrt(a)).value_and_gradient(1.0);
    check_close(found.value, 1001.0 + std::log(1.0 + std::exp(-1.0) + std::exp(-2.0)));
    const double shares = 1.0 + std::exp(-1.0) + std::exp(-2.0);
    check_close(found.gradient[0], (1001.0 + 1000.0 * std::exp(-1.0) + 999.0 * std::exp(-2.0)) / shares);
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> infinite = {0.0, infinity}, none = {-infinity, -infinity};
    CHECK(cr::log_sum_exp(t + a, cr::over(t = infinite), cr::wrt(a))(1.0) == infinity);
    CHECK(cr::log_sum_exp(t + a, cr::over(t = none), cr::wrt(a))(1.0) == -infinity);
}

TEST_CASE("what depends on shared variables alone is computed before the rows, and is the same") {
    constexpr auto s = log(b) + sin(a) * cos(a) + select(a > b, a * b, a / b);
    const auto once = cr::sum(s * t + y / s, cr::over(t = times, y = counts), cr::wrt(a, b));
    const auto of_row = cr::function(s * t + y / s, cr::wrt(a, b, t, y));
    for (const std::array<double, 2> at : {std::array{0.75, 1.25}, std::array{1.5, 0.5}}) {
        double value = 0.0, by_a = 0.0, by_b = 0.0;
        for (std::size_t i = 0; i < rows; ++i) {
            const auto [its_value, its_gradient] = of_row.value_and_gradient(at[0], at[1], times[i], counts[i]);
            value += its_value;
            by_a += its_gradient[0];
            by_b += its_gradient[1];
        }
        const auto found = once.value_and_gradient(at);
        check_close(found.value, value);
        check_close(found.gradient[0], by_a);
        check_close(found.gradient[1], by_b);
    }
}

TEST_CASE("the value is the same, bit for bit, whatever else is requested") {
    const auto check = [](const auto& whole) {
        const double at[] = {0.7, -0.3};
        const double value = whole(at);
        CHECK(whole.value_and_gradient(at).value == value);
        CHECK(whole.value_gradient_and_hessian(at).value == value);
        std::vector<double> slopes(500);
        CHECK(whole.value_and_column_gradient(t, slopes, at) == value);
    };
    std::vector<double> ts(500), ys(500);
    for (std::size_t i = 0; i < ts.size(); ++i) {
        ts[i] = 0.001 * static_cast<double>(i * 37 % 501);
        ys[i] = 0.9 + 0.0003 * static_cast<double>(i * 71 % 503);
    }
    const auto data = cr::over(t = ts, y = ys);
    check(cr::sum(a * t + b, data, cr::wrt(a, b)));
    check(cr::sum(f, data, cr::wrt(a, b)));
    check(cr::sum(exp(sin(f) * f) - y * sin(f), data, cr::wrt(a, b)));
    check(cr::mean(f, data, cr::wrt(a, b)));
    check(cr::prod(f, data, cr::wrt(a, b)));
    check(cr::log_sum_exp(f, data, cr::wrt(a, b)));
}
