// SPDX-License-Identifier: BSL-1.0
//
// Sums over rows of reductions over components, against plain loops.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variables<"x", 2>;
constexpr auto mean = cr::variables<"mu", 2>;
constexpr auto alpha = cr::variable<"alpha">;
constexpr auto s = cr::variable<"s">;
constexpr auto k = cr::variable<"k">;

using numbers = std::vector<double>;
using rows = std::vector<std::array<double, 2>>;

rows points(std::size_t n) {
    rows all(n);
    for (std::size_t i = 0; i < n; ++i)
        all[i] = {2.0 * std::sin(static_cast<double>(i)), 0.3 * static_cast<double>(i % 11) - 1.0};
    return all;
}

/// Value and derivatives by alpha, both means, and s, of a mixture with densities exp(-s) exp(-|x - mu|^2 e^(-2s) k).
struct expected {
    double value = 0.0, by_s = 0.0;
    std::vector<std::array<double, 3>> by_component;
};
expected by_loops(const rows& seen, const numbers& alphas, const rows& means, double width, double factor) {
    expected all;
    all.by_component.resize(alphas.size());
    for (const auto& at : seen) {
        numbers terms(alphas.size()), squares(alphas.size());
        double most = -std::numeric_limits<double>::infinity(), sum = 0.0;
        for (std::size_t c = 0; c < alphas.size(); ++c) {
            const double p = at[0] - means[c][0], q = at[1] - means[c][1];
            squares[c] = factor * std::exp(-2 * width) * (p * p + q * q);
            terms[c] = alphas[c] - width - squares[c];
            most = std::max(most, terms[c]);
        }
        for (const double term : terms) sum += std::exp(term - most);
        all.value += most + std::log(sum);
        for (std::size_t c = 0; c < alphas.size(); ++c) {
            const double weight = std::exp(terms[c] - most) / sum, slope = 2 * factor * std::exp(-2 * width) * weight;
            all.by_component[c][0] += weight;
            all.by_component[c][1] += slope * (at[0] - means[c][0]);
            all.by_component[c][2] += slope * (at[1] - means[c][1]);
            all.by_s += weight * (2 * squares[c] - 1);
        }
    }
    return all;
}

const auto term = alpha - s - k * exp(-2_c * s) * squared_norm(x - mean);

} // namespace

TEST_CASE("a mixture has the value and the derivatives of plain loops") {
    const numbers alphas = {0.1, -0.3, 0.2};
    const rows means = {{-1.0, 0.5}, {0.5, 0.0}, {2.0, 30.0}};
    for (const std::size_t n : {1u, 3u, 64u, 65u, 1000u}) {
        const rows seen = points(n);
        const auto inner =
            cr::log_sum_exp(term, cr::over(alpha = alphas, mean = means), cr::wrt(x, s), cr::given(k = 0.5));
        const auto likelihood = cr::sum(inner, cr::over(x = seen), cr::wrt(s));
        const expected all = by_loops(seen, alphas, means, 0.3, 0.5);
        CHECK(likelihood(0.3) == Approx(all.value).epsilon(1e-12));
        const auto found = likelihood.value_and_gradients(0.3);
        CHECK(found.value == likelihood(0.3));
        CHECK(found.gradient[0] == Approx(all.by_s).epsilon(1e-11));
        REQUIRE(found.of_components.size() == 3);
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t j = 0; j < 3; ++j)
                CHECK(found.of_components[c][j] == Approx(all.by_component[c][j]).epsilon(1e-11).margin(1e-300));
        // The mean, by name, with another parameter.
        auto average = cr::mean(inner, cr::over(x = seen), cr::wrt(s));
        average.set(k = 1.25);
        const expected others = by_loops(seen, alphas, means, 0.3, 1.25);
        const auto of_mean = average.value_and_gradients(s = 0.3);
        const auto count = static_cast<double>(n);
        CHECK(of_mean.value == Approx(others.value / count).epsilon(1e-12));
        CHECK(of_mean.gradient[0] == Approx(others.by_s / count).epsilon(1e-11));
        CHECK(of_mean.of_components[1][2] == Approx(others.by_component[1][2] / count).epsilon(1e-11));
    }
}

TEST_CASE("derivatives with respect to a matrix and what it multiplies are those of differences") {
    constexpr auto q = cr::variables<"q", 3>;
    const auto product = [&](const auto& with) { // with the lower triangle (exp(q0), q1, q2)
        return cr::vector(exp(q.get<0>()) * with.template get<0>(),
                          q.get<1>() * with.template get<0>() + q.get<2>() * with.template get<1>());
    };
    numbers alphas = {0.1, -0.3};
    rows means = {{-1.0, 0.5}, {0.5, 0.0}};
    std::vector<std::array<double, 3>> factors = {{0.2, 0.3, 0.9}, {-0.4, -0.2, 1.1}};
    const rows seen = points(130);
    const auto likelihood =
        cr::sum(cr::log_sum_exp(alpha + q.get<0>() - 0.5_c * squared_norm(product(x) - product(mean)),
                                cr::over(alpha = alphas, mean = means, q = factors), cr::wrt(x)),
                cr::over(x = seen));
    const auto found = likelihood.value_and_gradients();
    CHECK(found.value == likelihood());
    for (std::size_t c = 0; c < 2; ++c) {
        double* const all[] = {&alphas[c], &means[c][0], &means[c][1], &factors[c][0], &factors[c][1], &factors[c][2]};
        for (std::size_t j = 0; j < 6; ++j) {
            const double number = *all[j], h = 1e-5;
            *all[j] = number + h;
            const double above = likelihood();
            *all[j] = number - h;
            const double below = likelihood();
            *all[j] = number;
            CHECK(found.of_components[c][j] == Approx((above - below) / (2 * h)).epsilon(1e-7).margin(1e-6));
        }
    }
}

TEST_CASE("terms far below or above the range of exp() do not overflow") {
    const numbers alphas = {-2000.0, 5000.0};
    const rows means = {{0.0, 0.0}, {1.0, 1.0}}, seen = points(5);
    const auto likelihood =
        cr::sum(cr::log_sum_exp(alpha - squared_norm(x - mean), cr::over(alpha = alphas, mean = means), cr::wrt(x)),
                cr::over(x = seen));
    const expected all = by_loops(seen, alphas, means, 0.0, 1.0);
    const auto found = likelihood.value_and_gradients();
    CHECK(found.value == Approx(all.value).epsilon(1e-13));
    CHECK(found.of_components[0][0] == 0.0);
    CHECK(found.of_components[1][0] == 5.0);
    CHECK(found.of_components[1][1] == Approx(all.by_component[1][1]).epsilon(1e-12));
}

TEST_CASE("pairs of rows and sources are summed in floats and doubles, with conditions and pairs of sines") {
    constexpr auto t = cr::variable<"t">;
    constexpr auto u = cr::variable<"u">;
    constexpr auto a = cr::variable<"a">;
    const auto pair = a * select(t > u, sin(a * t) + cos(a * t), u / t) + cr::max(u, a) * cr::max(t, 0_c);
    const auto check = [&](auto zero, double tolerance) {
        using T = decltype(zero);
        const std::vector<T> ts = {T(0.5), T(1.5), T(-2.0), T(3.0), T(0.25)}, us = {T(1.0), T(0.375)},
                             as = {T(0.5), T(2.0)};
        const auto total = cr::sum(cr::sum(pair, cr::over(u = us, a = as), cr::wrt(t)), cr::over(t = ts));
        const auto found = total.value_and_gradients();
        double value = 0.0;
        for (std::size_t c = 0; c < 2; ++c) {
            double by_u = 0.0, by_a = 0.0;
            for (const T at : ts) {
                const double row = at, source = us[c], scale = as[c];
                const double p = scale * row, big = std::max(source, scale), positive = std::max(row, 0.0);
                const bool above = row > source;
                value += (above ? scale * (std::sin(p) + std::cos(p)) : scale * source / row) + big * positive;
                by_u += (above ? 0.0 : scale / row) + (source > scale ? positive : 0.0);
                by_a += (above ? std::sin(p) + std::cos(p) + p * (std::cos(p) - std::sin(p)) : source / row) +
                        (scale > source ? positive : 0.0);
            }
            CHECK(found.of_components[c][0] == Approx(by_u).epsilon(tolerance));
            CHECK(found.of_components[c][1] == Approx(by_a).epsilon(tolerance));
        }
        CHECK(found.value == Approx(value).epsilon(tolerance));
        CHECK(std::is_same_v<decltype(total()), T>);
    };
    check(0.0, 1e-12);
    check(0.0f, 1e-5);
}

TEST_CASE("rows of a mixture have weights and are masked, in the same order with any number of threads") {
    constexpr auto u = cr::variable<"u">;
    constexpr auto m = cr::variable<"m">;
    const numbers alphas = {0.1, -0.3, 0.2};
    const rows means = {{-1.0, 0.5}, {0.5, 0.0}, {2.0, 3.0}};
    const auto inner = cr::log_sum_exp(term, cr::over(alpha = alphas, mean = means), cr::wrt(x, s), cr::given(k = 0.5));
    for (const std::size_t n : {5u, 67u, 20001u}) {
        rows seen = points(n), kept;
        numbers by_row(n), used(n), copies;
        for (std::size_t i = 0; i < n; ++i) {
            used[i] = i % 3 == 1 ? 0.0 : 1.0;
            by_row[i] = static_cast<double>(i % 4); // as many copies of the row
            if (used[i] != 0.0) kept.insert(kept.end(), i % 4, seen[i]);
            if (used[i] == 0.0) seen[i][0] = std::numeric_limits<double>::quiet_NaN();
        }
        const auto data = cr::over(u = by_row, x = seen, m = used);
        const expected all = by_loops(kept, alphas, means, 0.3, 0.5);
        const auto check = [&](const auto& found, double count) {
            CHECK(found.value == Approx(all.value / count).epsilon(1e-12));
            CHECK(found.gradient[0] == Approx(all.by_s / count).epsilon(1e-10));
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t j = 0; j < 3; ++j)
                    CHECK(found.of_components[c][j] == Approx(all.by_component[c][j] / count).epsilon(1e-10));
        };
        const auto one = cr::sum(inner, data, cr::wrt(s), cr::weights(u), cr::mask(m)).value_and_gradients(0.3);
        check(one, 1.0);
        check(cr::mean(inner, data, cr::weights(u), cr::wrt(s), cr::mask(m)).value_and_gradients(0.3),
              static_cast<double>(kept.size()));
        for (const unsigned count : {2u, 3u, 8u}) {
            const auto several = cr::sum(inner, data, cr::wrt(s), cr::weights(u), cr::mask(m), cr::threads(count));
            const auto found = several.value_and_gradients(0.3);
            CHECK(found.value == one.value);
            CHECK(several(0.3) == one.value);
            CHECK(found.gradient == one.gradient);
            CHECK(found.of_components == one.of_components);
        }
    }
    const numbers none(2);
    const rows two = points(2);
    CHECK(sentence_of([&] { (void)cr::mean(inner, cr::over(x = two, m = none), cr::wrt(s), cr::mask(m))(0.3); }) ==
          "mean: the data have no rows, or the mask or the weights leave none; pass at least one");
    const numbers three(3);
    CHECK(sentence_of([&] { (void)cr::sum(inner, cr::over(x = two, u = three), cr::wrt(s), cr::weights(u)); }) ==
          "over: the column of u has 3 rows and that of x[0] has 2; bind columns of equal length");
}

TEST_CASE("sums over components without rows or components") {
    const rows none, means = {{1.0, 2.0}}, seen = points(3);
    const auto inner = [&](const rows& of) {
        return cr::log_sum_exp(-squared_norm(x - mean), cr::over(mean = of), cr::wrt(x));
    };
    const auto without_rows = cr::sum(inner(means), cr::over(x = none)).value_and_gradients();
    CHECK(without_rows.value == 0.0);
    CHECK(without_rows.of_components == rows{{0.0, 0.0}});
    const auto without_components = cr::sum(inner(none), cr::over(x = seen));
    CHECK(without_components() == -std::numeric_limits<double>::infinity());
    CHECK(sentence_of([&] { (void)without_components.value_and_gradients(); }) ==
          "sum: there are no components, so log_sum_exp has no derivatives; bind columns with at least one");
    CHECK(sentence_of([&] { (void)cr::mean(inner(means), cr::over(x = none))(); }) ==
          "mean: the data have no rows; pass at least one");
    rows broken = seen;
    broken[1][0] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(cr::sum(inner(means), cr::over(x = broken))()));
}
