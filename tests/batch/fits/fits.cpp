// SPDX-License-Identifier: BSL-1.0
//
// fits(...): each fit reaches the minimum of its own sum of squares, whichever fits stand beside it. docs/examples/
// nist_fits.cpp compares with certified values.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch/fits/fits.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;
using cr::fit_status;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto u = cr::variable<"u">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto c = cr::variable<"c">;
constexpr auto residual = y - (a * exp(-b * t) + c);

constexpr std::size_t points = 20;
constexpr std::size_t lanes = cr::batches::lane_count<cr::batches::widest<double>>;
constexpr std::array start = {2.0, 1.0, 0.5};

template <class T>
struct decays {
    std::vector<T> times = std::vector<T>(points), counts;
    explicit decays(std::size_t fits, double noise = 0.02) {
        for (std::size_t i = 0; i < points; ++i) times[i] = static_cast<T>(0.25 * static_cast<double>(i));
        for (std::size_t f = 0; f < fits; ++f)
            for (std::size_t i = 0; i < points; ++i)
                counts.push_back(static_cast<T>(amplitude(f) * std::exp(-rate(f) * 0.25 * static_cast<double>(i)) +
                                                0.3 + noise * std::sin(12.9898 * static_cast<double>(f * points + i))));
    }
    static double amplitude(std::size_t f) { return 1 + 0.25 * static_cast<double>(f % 13); }
    static double rate(std::size_t f) { return 0.4 + 0.1 * static_cast<double>(f % 7); }
    [[nodiscard]] auto data() const { return cr::over_fits(t = times, y = cr::rows(counts, points)); }
};

template <class Fits>
bool same_bits(const Fits& one, std::size_t i, const Fits& other, std::size_t j) {
    bool same = one.iterations(i) == other.iterations(j) && one.half_squares(i) == other.half_squares(j);
    for (std::size_t k = 0; k < 3; ++k) same = same && std::memcmp(&one(i, k), &other(j, k), sizeof(double)) == 0;
    return same;
}

} // namespace

TEST_CASE("fits reach the minimum of their own sums of squares") {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, lanes - 1, lanes, lanes + 1, std::size_t{200}}) {
        const decays<double> all(n);
        const auto fits =
            cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(start, cr::with_covariance);
        REQUIRE(fits.size() == n);
        CHECK(fits.all_converged());
        for (std::size_t f = 0; f < n; f += 11) {
            // The Gauss-Newton matrix of this fit alone: its gradient vanishes at the minimum.
            const std::vector<double> own(&all.counts[f * points], &all.counts[f * points] + points);
            const auto alone = cr::residuals(residual, cr::over(t = all.times, y = own), cr::wrt(a, b, c));
            const std::array at = {fits(f, 0), fits(f, 1), fits(f, 2)};
            const auto [value, gradient, matrix] = alone.gauss_newton(at);
            CHECK(fits.half_squares(f) == Approx(value).epsilon(1e-12));
            CHECK(fits.residuals(f) == points);
            for (std::size_t j = 0; j < 3; ++j)
                CHECK(std::abs(gradient[j]) <= 1e-10 * std::sqrt(2 * value * matrix[j][j]));
            // The covariance times J^T J is s^2.
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    double entry = 0.0;
                    for (std::size_t k = 0; k < 3; ++k) entry += fits.covariance(f, i, k) * matrix[k][j];
                    CHECK(entry == Approx(i == j ? 2 * value / (points - 3) : 0.0).epsilon(1e-9).margin(1e-12));
                }
        }
    }
    // Without noise the parameters are those of the data.
    const decays<double> exact(30, 0.0);
    const auto fits = cr::fits(residual, exact.data(), cr::wrt(a, b, c)).levenberg_marquardt(start);
    for (std::size_t f = 0; f < 30; ++f) {
        CHECK(fits.converged(f));
        CHECK(fits(f, 0) == Approx(decays<double>::amplitude(f)).epsilon(1e-9));
        CHECK(fits(f, 1) == Approx(decays<double>::rate(f)).epsilon(1e-9));
    }
}

TEST_CASE("a fit does not depend on other fits, their number, memory and threads") {
    const decays<double> all(300);
    const auto together = cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(start);
    std::size_t told = 0;
    const auto threads = cr::fits(residual, all.data(), cr::wrt(a, b, c), cr::threads(3))
                             .levenberg_marquardt(start, cr::report([&](std::size_t done) { told = done; }));
    CHECK(told == 300);
    for (std::size_t f = 0; f < 300; ++f) CHECK(same_bits(together, f, threads, f));

    // Some of them, by column: the fits lie side by side.
    std::vector<double> columns(points * 50);
    for (std::size_t f = 0; f < 50; ++f)
        for (std::size_t i = 0; i < points; ++i) columns[i * 50 + f] = all.counts[(f + 100) * points + i];
    using cr::batches::layout;
    const cr::batches::table_view<const double, layout::strided> by_column{columns.data(), 50, points, 1, 50};
    const std::vector<double> firsts(50, 2.0);
    const auto some = cr::fits(residual, cr::over_fits(t = all.times, y = by_column), cr::wrt(a, b, c))
                          .levenberg_marquardt(cr::columns(c = 0.5, a = firsts, b = 1.0));
    for (std::size_t f = 0; f < 50; ++f) CHECK(same_bits(together, f + 100, some, f));
    const auto one = cr::fits(residual, cr::over_fits(t = all.times, y = cr::table(&all.counts[7 * points], 1, points)),
                              cr::wrt(a, b, c))
                         .levenberg_marquardt(start);
    CHECK(same_bits(together, 7, one, 0));
}

TEST_CASE("fits that fail have their status and influence no other") {
    decays<double> all(20);
    const auto before = cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(start);
    all.counts[3 * points + 5] = std::numeric_limits<double>::quiet_NaN();
    all.counts[8 * points] = std::numeric_limits<double>::infinity();
    const auto after = cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(start);
    for (std::size_t f = 0; f < 20; ++f) {
        if (f == 3 || f == 8)
            CHECK(after.status(f) == fit_status::not_finite);
        else
            CHECK(same_bits(before, f, after, f));
    }
    CHECK(after.count(fit_status::not_finite) == 2);
    CHECK(after(3, 0) == 2.0);

    // Masked, these points count for nothing, and the fits are those of the other points.
    std::vector<double> valid(20 * points, 1.0);
    valid[3 * points + 5] = valid[8 * points] = 0.0;
    const auto masked =
        cr::fits(residual, cr::over_fits(t = all.times, y = cr::rows(all.counts, points), u = cr::rows(valid, points)),
                 cr::wrt(a, b, c), cr::mask(u))
            .levenberg_marquardt(start);
    CHECK(masked.all_converged());
    CHECK(masked.residuals(3) == points - 1);
    CHECK(masked.residuals(4) == points);
    CHECK(masked(3, 0) == Approx(before(3, 0)).epsilon(0.05));
    CHECK(masked(4, 0) == Approx(before(4, 0)).epsilon(1e-9));

    // A weight of 2 counts like a point that is there twice.
    const decays<double> few(lanes + 1);
    std::vector<double> twice_times = few.times, weights(points, 1.0), twice = {};
    twice_times.push_back(few.times[4]);
    weights[4] = 2.0;
    for (std::size_t f = 0; f < lanes + 1; ++f) {
        twice.insert(twice.end(), &few.counts[f * points], &few.counts[f * points] + points);
        twice.push_back(few.counts[f * points + 4]);
    }
    const auto weighted =
        cr::fits(residual, cr::over_fits(t = few.times, u = weights, y = cr::rows(few.counts, points)),
                 cr::wrt(a, b, c), cr::weights(u))
            .levenberg_marquardt(start);
    const auto repeated =
        cr::fits(residual, cr::over_fits(t = twice_times, y = cr::rows(twice, points + 1)), cr::wrt(a, b, c))
            .levenberg_marquardt(start);
    for (std::size_t f = 0; f < lanes + 1; ++f)
        for (std::size_t j = 0; j < 3; ++j) CHECK(weighted(f, j) == Approx(repeated(f, j)).epsilon(1e-9));
}

TEST_CASE("fits that the data do not determine, and limits") {
    // The residuals depend only on the sum of two parameters: the fit finds the sum, but no covariance.
    const std::vector<double> times = {1.0, 2.0, 3.0}, values = {2.0, 4.0, 6.5};
    const auto loose = cr::fits(y - a * t, cr::over_fits(t = times, y = values), cr::wrt(a))
                           .levenberg_marquardt(std::array{0.0}, cr::with_covariance);
    CHECK(loose(0, 0) == Approx(29.5 / 14));
    const auto alike = cr::fits(y - (a + b) * t, cr::over_fits(t = times, y = values), cr::wrt(a, b))
                           .levenberg_marquardt(std::array{0.0, 1.0}, cr::with_covariance);
    CHECK(alike.converged(0));
    CHECK(alike(0, 0) + alike(0, 1) == Approx(29.5 / 14));
    CHECK_FALSE(std::abs(alike.covariance(0, 0, 0)) < 1e6);
    const decays<double> all(10);
    const auto hurried =
        cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(start, cr::fit_options{.iterations = 2});
    CHECK(hurried.count(fit_status::no_convergence) == 10);
    for (std::size_t f = 0; f < 10; ++f) CHECK(hurried.iterations(f) == 2);
    // Several starts for one set of data; parameters bound by given; several residuals per point; code.
    const std::vector<double> starts = {0.1, 2.0, 5.0};
    auto several = cr::fits(
        [](auto time, auto value, auto slope, auto shift) {
            return std::array{value - slope * time - shift, 0.5 * (value - slope * time - shift)};
        },
        cr::over_fits(t = times, y = values), cr::wrt(a), cr::given(c = 1.0));
    for (const double shift : {1.0, 0.0}) {
        several.set(c = shift);
        const auto found = several.levenberg_marquardt(cr::columns(starts));
        REQUIRE(found.size() == 3);
        for (std::size_t f = 0; f < 3; ++f) CHECK(found(f, 0) == Approx((29.5 - 6 * shift) / 14));
        CHECK(found.residuals(0) == 6);
    }
}

TEST_CASE("fits of floats") {
    const decays<float> all(20);
    const auto fits =
        cr::fits(residual, all.data(), cr::wrt(a, b, c)).levenberg_marquardt(std::array{2.0f, 1.0f, 0.5f});
    const decays<double> precise(20);
    const auto expected = cr::fits(residual, precise.data(), cr::wrt(a, b, c)).levenberg_marquardt(start);
    static_assert(std::is_same_v<decltype(fits(0, 0)), const float&>);
    CHECK(fits.all_converged());
    for (std::size_t f = 0; f < 20; ++f)
        for (std::size_t j = 0; j < 3; ++j) CHECK(fits(f, j) == Approx(expected(f, j)).epsilon(1e-3));
}

TEST_CASE("data of fits are checked before anything is computed") {
    const std::vector<double> times(14), counts(42), few(26);
    CHECK(sentence_of([&] { (void)cr::over_fits(t = times, y = cr::rows(counts, 7)); }) ==
          "over_fits: rows of y are 7 numbers apart, and a fit has 14 points; pass the distance of rows");
    CHECK(sentence_of([&] { (void)cr::over_fits(t = cr::table(few.data(), 2, 13), y = cr::rows(counts, 14)); }) ==
          "over_fits: y has data of 3 fits and t of 2; bind rows for the same number of fits");
    CHECK(sentence_of([&] { (void)cr::over_fits(t = times, y = cr::table(few.data(), 2, 13)); }) ==
          "over_fits: a fit has 13 points of y and 14 of t; bind as many of each");
    CHECK(sentence_of([&] { (void)cr::over_fits(t = times, y = cr::rows(few, 14)); }) ==
          "rows: 26 numbers do not make whole rows of 14 with a stride of 14; the last row is too short");
    CHECK(sentence_of([&] { (void)cr::over_fits(y = cr::rows(counts, 20), t = times); }) ==
          "rows: 42 numbers do not make whole rows of 14 with a stride of 20; the last row is too short");
    const auto all = cr::fits(y - a * t - b, cr::over_fits(t = times, y = cr::rows(counts, 14)), cr::wrt(a, b));
    const std::vector<double> two(2), three(3);
    CHECK(sentence_of([&] { (void)all.levenberg_marquardt(cr::columns(two, 1.0)); }) ==
          "fits: there are data of 3 fits and 2 starts; give as many starts as fits");
    CHECK(sentence_of([&] { (void)all.levenberg_marquardt(cr::columns(three, two)); }) ==
          "fits: the starts of b are 2 and those of a are 3; give columns of equal length");
    const auto found = all.levenberg_marquardt(std::array{1.0, 1.0});
    CHECK(sentence_of([&] { (void)found.covariance(0, 0, 0); }) ==
          "fits: covariances were not computed; pass with_covariance to levenberg_marquardt");
}
