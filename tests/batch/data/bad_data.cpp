// SPDX-License-Identifier: BSL-1.0
//
// Data that do not fit together are refused before anything is computed, with names and sizes; data without rows.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto m = cr::variable<"m">;
constexpr auto a = cr::variable<"a">;
constexpr auto x = cr::variables<"x", 3>;

} // namespace

TEST_CASE("columns of different lengths are refused") {
    const std::vector<double> ten(10), nine(9);
    CHECK(sentence_of([&] { (void)cr::over(t = ten, y = nine); }) ==
          "over: the column of y has 9 rows and that of t has 10; bind columns of equal length");
    constexpr auto u = cr::variable<"u">;
    CHECK(sentence_of([&] { (void)cr::sum(a * t, cr::over(t = ten, u = nine), cr::wrt(a), cr::weights(u)); }) ==
          "over: the column of u has 9 rows and that of t has 10; bind columns of equal length");
    CHECK(sentence_of([&] { (void)cr::mean(a * t, cr::over(m = nine, t = ten), cr::wrt(a), cr::mask(m)); }) ==
          "over: the column of t has 10 rows and that of m has 9; bind columns of equal length");
    const std::vector<std::array<double, 3>> eight(8);
    CHECK(sentence_of([&] { (void)cr::over(t = ten, x = eight); }) ==
          "over: the column of x[0] has 8 rows and that of t has 10; bind columns of equal length");
    const std::vector<std::vector<double>> uneven = {ten, ten, nine};
    CHECK(sentence_of([&] { (void)cr::over(x = uneven); }) ==
          "over: of the columns that x[0] and those after it are bound to, number 2 has 9 rows and number 0 has 10; "
          "pass columns of equal length");
}

TEST_CASE("tables of another width, and strides that are too small, are refused") {
    const std::vector<double> numbers(30);
    CHECK(sentence_of([&] { (void)cr::over(x = cr::table(numbers.data(), 10, 2)); }) ==
          "over: x[0] and the variables after it are 3, but their table has 2 columns; bind as many");
    CHECK(sentence_of([&] { (void)cr::over(x = cr::table(numbers.data(), 10, 3, 2)); }) ==
          "over: rows of x[0] have 3 numbers, but a stride of 2; pass the distance of neighbouring rows in numbers");
    CHECK(sentence_of([&] { (void)cr::over(x = cr::table(numbers.data(), 1, 3, 0)); }).empty());
}

TEST_CASE("without rows a sum is 0 and a product 1, and a maximum is refused") {
    const std::vector<double> none;
    const auto data = cr::over(t = none);
    CHECK(cr::sum(a * t, data, cr::wrt(a))(2.0) == 0.0);
    CHECK(cr::sum(a * t, data, cr::wrt(a)).gradient(2.0)[0] == 0.0);
    CHECK(cr::prod(a * t, data, cr::wrt(a))(2.0) == 1.0);
    CHECK(cr::prod(a * t, data, cr::wrt(a)).gradient(2.0)[0] == 0.0);
    CHECK(cr::log_sum_exp(a * t, data, cr::wrt(a))(2.0) == -HUGE_VAL);
    const std::string rest = ": the data have no rows, or the mask or the weights leave none; pass at least one";
    CHECK(sentence_of([&] { (void)cr::max(a * t, data, cr::wrt(a))(2.0); }) == "max" + rest);
    CHECK(sentence_of([&] { (void)cr::min(a * t, data, cr::wrt(a)).gradient(2.0); }) == "min" + rest);
    CHECK(sentence_of([&] { (void)cr::mean(a * t, data, cr::wrt(a))(2.0); }) == "mean" + rest);
    CHECK(sentence_of([&] { (void)cr::log_sum_exp(a * t, data, cr::wrt(a)).gradient(2.0); }) == "log_sum_exp" + rest);
    const std::vector<double> numbers(20, 1.0);
    const std::vector<unsigned char> masked(20, 0);
    CHECK(sentence_of([&] { (void)cr::max(a * t, cr::over(t = numbers, m = masked), cr::wrt(a), cr::mask(m))(2.0); }) ==
          "max" + rest);
    const std::vector<double> weightless(20, 0.0);
    const auto weighted = cr::log_sum_exp(a * t, cr::over(t = numbers, m = weightless), cr::wrt(a), cr::weights(m));
    CHECK(weighted(2.0) == -HUGE_VAL);
    CHECK(sentence_of([&] { (void)weighted.gradient(2.0); }) == "log_sum_exp" + rest);
    CHECK(sentence_of([&] { (void)weighted.hessian(2.0); }) == "log_sum_exp" + rest);
}

TEST_CASE("a point of the wrong size is refused") {
    const std::vector<double> numbers(20, 1.0), point(2);
    const auto total = cr::sum(a * t, cr::over(t = numbers), cr::wrt(a));
    CHECK(sentence_of([&] { (void)total(point); }) ==
          "function: the point does not have one number per variable in wrt(...); pass that many");
}
