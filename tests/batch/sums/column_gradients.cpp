// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of reductions with respect to the numbers of a column, against differences, and where they are special.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto u = cr::variable<"u">;
constexpr auto m = cr::variable<"m">;
constexpr auto a = cr::variable<"a">;
constexpr auto k = cr::variable<"k">;
constexpr auto f = 0.5_c + a * sin(x) * y + 2_c * x;

constexpr std::size_t rows = 37;
std::vector<double> column(double factor) {
    std::vector<double> all(rows);
    for (std::size_t i = 0; i < rows; ++i) all[i] = factor * static_cast<double>(i * 29 % 37 + 1) / 37.0;
    return all;
}

/// The gradient against central differences, each from two values of the whole.
void check_differences(const auto& make) {
    std::vector<double> xs = column(1.0), gradient(rows);
    const auto whole = make(xs);
    const double value = whole.value_and_column_gradient(x, gradient, 0.75);
    CHECK(std::abs(value - whole(0.75)) <= 1e-14 * std::abs(value));
    const double h = 1e-6;
    for (std::size_t i = 0; i < rows; ++i) {
        const double at = xs[i];
        xs[i] = at + h;
        const double above = whole(0.75);
        xs[i] = at - h;
        const double below = whole(0.75);
        xs[i] = at;
        CHECK(std::abs(gradient[i] - (above - below) / (2 * h)) <= 1e-7 * (1 + std::abs(value)));
    }
}

} // namespace

TEST_CASE("the gradient with respect to a column is that of differences") {
    const std::vector<double> ys = column(0.5), us = column(2.0);
    std::vector<unsigned char> ms(rows, 1);
    ms[5] = ms[36] = 0;
    const auto data = [&](const auto& xs) { return cr::over(y = ys, x = xs, u = us, m = ms); };
    check_differences([&](const auto& xs) { return cr::sum(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::mean(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::prod(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::log_sum_exp(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::max(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::min(f, data(xs), cr::wrt(a)); });
    check_differences([&](const auto& xs) { return cr::mean(f, data(xs), cr::wrt(a), cr::weights(u), cr::mask(m)); });
    check_differences([&](const auto& xs) { return cr::log_sum_exp(f, data(xs), cr::wrt(a), cr::weights(u)); });
    check_differences([&](const auto& xs) { return cr::prod(f, data(xs), cr::wrt(a), cr::mask(m)); });
    check_differences([&](const auto& xs) { return cr::sum(k * f, data(xs), cr::wrt(a), cr::given(k = 2.0)); });
}

TEST_CASE("the gradient of a product is right where factors are zero") {
    const std::vector<double> one = {2.0, 0.0, 5.0}, two = {2.0, 0.0, 0.0}, tiny = {1e-200, 1e-200};
    std::vector<double> gradient(3), of_tiny(2);
    CHECK(cr::prod(x, cr::over(x = one)).value_and_column_gradient(x, gradient) == 0.0);
    CHECK(gradient == std::vector<double>{0.0, 10.0, 0.0});
    CHECK(cr::prod(x, cr::over(x = two)).value_and_column_gradient(x, gradient) == 0.0);
    CHECK(gradient == std::vector<double>{0.0, 0.0, 0.0});
    CHECK(cr::prod(x, cr::over(x = tiny)).value_and_column_gradient(x, of_tiny) == 0.0);
    CHECK(of_tiny == std::vector<double>{1e-200, 1e-200});
}

TEST_CASE("the gradient of a product of cheap factors is the product over each, times its derivative") {
    for (const std::size_t n : {1u, 7u, 1024u, 1025u, 5000u}) {
        std::vector<double> xs(n), gradient(n);
        std::vector<unsigned char> ms(n, 1);
        for (std::size_t i = 0; i < n; ++i) xs[i] = 1.0 + 0.001 * static_cast<double>(i % 7);
        if (n > 1) ms[n / 2] = 0;
        const auto product = cr::prod(y + y - a * x, cr::over(y = xs, x = xs, m = ms), cr::wrt(a), cr::mask(m));
        double expected = 1.0;
        for (std::size_t i = 0; i < n; ++i) expected *= ms[i] != 0 ? 0.99 * xs[i] : 1.0;
        CHECK(product.value_and_column_gradient(x, gradient, 1.01) == Approx(expected).epsilon(1e-11));
        for (std::size_t i = 0; i < n; ++i)
            if (const double each = ms[i] != 0 ? -1.01 * expected / (0.99 * xs[i]) : 0.0;
                !(std::abs(gradient[i] - each) <= 1e-11 * std::abs(each)))
                FAIL("derivative " << i << " of " << n << ": " << gradient[i] << ", expected " << each);
    }
}

TEST_CASE("the gradient of a product keeps its digits where the product, or a factor, is subnormal") {
    const std::vector<double> small{1e-200, 1e-120}, smaller{1e-310, 1e200, 1e100};
    std::vector<double> slopes(2), three(3);
    CHECK(cr::prod(1.0 * x, cr::over(x = small)).value_and_column_gradient(x, slopes) < 1e-307);
    CHECK(slopes == std::vector{1e-120, 1e-200});
    CHECK(cr::prod(x + 0.0 * exp(x), cr::over(x = small)).value_and_column_gradient(x, slopes) < 1e-307);
    CHECK(slopes == std::vector{1e-120, 1e-200});
    CHECK(cr::prod(x + 0.0 * sin(x), cr::over(x = smaller)).value_and_column_gradient(x, three) == Approx(1e-10));
    CHECK(three[0] == Approx(1e300));
    CHECK(three[2] == Approx(1e-110));
}

TEST_CASE("where a row is not a number, the derivatives of the maximum are none") {
    const std::vector<double> xs{1.0, std::numeric_limits<double>::quiet_NaN(), 3.0};
    std::vector<double> slopes(3);
    CHECK(std::isnan(cr::max(2.0 * x, cr::over(x = xs)).value_and_column_gradient(x, slopes)));
    CHECK((std::isnan(slopes[0]) && std::isnan(slopes[1]) && std::isnan(slopes[2])));
    CHECK(std::isnan(cr::min(2.0 * x, cr::over(x = xs)).value_and_column_gradient(x, slopes)));
    CHECK((std::isnan(slopes[0]) && std::isnan(slopes[1]) && std::isnan(slopes[2])));
}

TEST_CASE("rows that tie for the maximum share, and room must fit") {
    const std::vector<double> numbers = {1.0, 3.0, 2.0, 3.0};
    std::vector<double> gradient(4), few(3);
    const auto greatest = cr::max(x, cr::over(x = numbers));
    CHECK(greatest.value_and_column_gradient(x, gradient) == 3.0);
    CHECK(gradient == std::vector<double>{0.0, 0.5, 0.0, 0.5});
    CHECK(sentence_of([&] { (void)greatest.value_and_column_gradient(x, few); }) ==
          "value_and_column_gradient: there are 4 rows, but room for 3; pass a range of as many");
}

TEST_CASE("without rows that count, the gradient of a column is refused as the value is") {
    const std::vector<double> xs = column(1.0), weightless(rows, 0.0);
    const std::vector<unsigned char> masked(rows, 0);
    std::vector<double> gradient(rows);
    const auto data = cr::over(x = xs, m = masked, u = weightless);
    const std::string rest = ": the data have no rows, or the mask or the weights leave none; pass at least one";
    const auto check = [&](const std::string& name, const auto& whole) {
        CHECK(sentence_of([&] { (void)whole.value_and_column_gradient(x, gradient, 0.5); }) == name + rest);
    };
    check("mean", cr::mean(a * x, data, cr::wrt(a), cr::mask(m)));
    check("mean", cr::mean(a * x, data, cr::wrt(a), cr::weights(u)));
    check("max", cr::max(a * x, data, cr::wrt(a), cr::mask(m)));
    check("min", cr::min(a * x, data, cr::wrt(a), cr::mask(m)));
    check("log_sum_exp", cr::log_sum_exp(a * x, data, cr::wrt(a), cr::mask(m)));
    check("log_sum_exp", cr::log_sum_exp(a * x, data, cr::wrt(a), cr::weights(u)));
    CHECK(cr::sum(a * x, data, cr::wrt(a), cr::mask(m)).value_and_column_gradient(x, gradient, 0.5) == 0.0);
    CHECK(cr::prod(a * x, data, cr::wrt(a), cr::mask(m)).value_and_column_gradient(x, gradient, 0.5) == 1.0);
    CHECK(gradient == std::vector<double>(rows));
}

TEST_CASE("the gradient of a column does not overwrite data") {
    std::vector<double> xs = column(1.0), ys = column(2.0), table(2 * rows);
    const std::vector<double> before = xs;
    const std::string sentence =
        "value_and_column_gradient: the results overlap the data; write them to memory of their own";
    const auto product = cr::prod(exp(a * x), cr::over(x = xs, y = ys), cr::wrt(a));
    CHECK(sentence_of([&] { (void)product.value_and_column_gradient(x, xs, 0.5); }) == sentence);
    CHECK(sentence_of([&] { (void)product.value_and_column_gradient(x, ys, 0.5); }) == sentence);
    CHECK(xs == before);
    const auto backwards = cr::sum(a * x, cr::over(x = cr::column(xs.data() + rows - 1, rows, -1)), cr::wrt(a));
    CHECK(sentence_of([&] { (void)backwards.value_and_column_gradient(x, xs, 0.5); }) == sentence);
    const auto in_rows = cr::sum(a * x * y, cr::over(x = cr::column(table.data(), rows, 2), y = ys), cr::wrt(a));
    CHECK(sentence_of([&] {
              (void)in_rows.value_and_column_gradient(x, std::span<double>(table).subspan(rows), 0.5);
          }) == sentence);
    (void)in_rows.value_and_column_gradient(x, xs, 0.5);
    CHECK(xs[3] == 0.5 * ys[3]);
}
