// SPDX-License-Identifier: BSL-1.0
//
// Functions that are recorded once and replayed at other points: values with the bits of the plain call, derivatives of
// every kind, points in lanes. replay_branches.cpp has comparisons and choices, replay_random.cpp random programs.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <cmath>
#include <vector>

namespace {

namespace tape = chainrule::tape;

/// sum of x_i^2 sin(x_{i+1}) + x_i / x_0, for lists of any kind.
constexpr auto chained = [](const auto& x) {
    using std::sin;
    std::remove_cvref_t<decltype(x[0])> s = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) s += x[i] * x[i] * sin(x[i + 1]) + x[i] / x[0];
    return s;
};
std::vector<double> point_of(std::size_t size, double from = 0.3) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.17 * static_cast<double>(i));
    return x;
}
template <class Found, class Expected>
void same(const Found& found, const Expected& expected) {
    REQUIRE(std::size(found) == std::size(expected));
    for (std::size_t i = 0; i < std::size(found); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));
}
void same(const tape::matrix<double>& found, const tape::matrix<double>& expected) {
    REQUIRE(found.rows() == expected.rows());
    for (std::size_t i = 0; i < found.rows(); ++i) same(found.row(i), expected.row(i));
}
tape::matrix<double> rows_of(std::size_t rows, std::size_t columns, double from) {
    tape::matrix<double> m(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            m(i, j) = from + 0.1 * static_cast<double>(i) - 0.07 * static_cast<double>(j);
    return m;
}
constexpr auto polar = [](const auto& p) {
    using T = std::remove_cvref_t<decltype(p[0])>;
    return std::array<T, 3>{p[0] * cos(p[1]), p[0] * sin(p[1]), T(7.0)};
};

} // namespace

TEST_CASE("a recording has the values and gradients of the function at other points", "[tape]") {
    for (const std::size_t size : {2u, 3u, 9u, 40u}) {
        auto r = tape::record(chained, point_of(size));
        CHECK(r.inputs() == size);
        CHECK(r.outputs() == 1);
        CHECK(r.comparisons() == 0);
        for (const double from : {0.3, -1.0, 5.0}) {
            const std::vector<double> x = point_of(size, from);
            CHECK(r(x) == chained(x));
            same(r.gradient(x), tape::gradient(chained, x));
        }
    }
}

TEST_CASE("points and results of a recording are laid out as in other calls", "[tape]") {
    auto of_array = tape::record(chained, std::array{0.3, 0.47, 0.64});
    const std::array x{1.0, 2.0, 3.0};
    STATIC_REQUIRE(std::same_as<decltype(of_array.gradient(x)), std::array<double, 3>>);
    same(of_array.gradient(x), tape::gradient(chained, x));
    const std::vector<double> same_point(x.begin(), x.end());
    STATIC_REQUIRE(std::same_as<decltype(of_array.gradient(same_point)), std::vector<double>>);
    same(of_array.gradient(std::span(same_point)), tape::gradient(chained, x));
    const double plain[] = {1.0, 2.0, 3.0};
    same(of_array.gradient(plain), tape::gradient(chained, x));
    same(of_array.gradient(std::array{1, 2, 3}), tape::gradient(chained, x));

    const auto separate = [](const auto& a, const auto& b) { return a * exp(b); };
    auto of_numbers = tape::record(separate, 2.0, 0.0);
    CHECK(of_numbers(3.0, 1.0) == 3.0 * std::exp(1.0));
    STATIC_REQUIRE(std::same_as<decltype(of_numbers.gradient(3.0, 1.0)), std::array<double, 2>>);
    same(of_numbers.gradient(3.0, 1.0), tape::gradient(separate, 3.0, 1.0));
    auto of_one = tape::record([](const auto& a) { return a * a; }, 2);
    CHECK(of_one.gradient(4)[0] == 8.0);

    auto floats = tape::record([](const auto& a) { return a[0] / a[1]; }, std::array{1.0F, 3.0F});
    STATIC_REQUIRE(std::same_as<decltype(floats(std::array{2.0F, 7.0F})), float>);
    CHECK(floats(std::array{2.0F, 7.0F}) == 2.0F / 7.0F);
    auto longs = tape::record([](const auto& a) { return a[0] / a[1]; }, std::array{1.0L, 3.0L});
    CHECK(longs(std::array{2.0L, 7.0L}) == 2.0L / 7.0L);
    CHECK(longs.gradient(std::array{2.0L, 8.0L})[0] == 0.125L);
}

TEST_CASE("a recording has the derivatives of functions in one call", "[tape]") {
    const std::vector<double> x = point_of(11, 0.5), d = point_of(11, -1.0);
    auto r = tape::record(chained, point_of(11));
    const auto value = r.value_and_gradient(x);
    CHECK(value.value == chained(x));
    same(value.gradient, tape::gradient(chained, x));
    CHECK(r.jvp(x, d) == Approx(tape::jvp(chained, x, d)));
    same(r.vjp(x, 2.0), tape::vjp(chained, x, 2.0));
    same(r.hvp(x, d), tape::hvp(chained, x, d));
    const tape::matrix<double> directions = rows_of(13, 11, 1.0);
    same(r.jvp(x, directions), tape::jvp(chained, x, directions));
    same(r.hvp(x, directions), tape::hvp(chained, x, directions));
    same(r.vjp(x, rows_of(9, 1, 1.0)), tape::vjp(chained, x, rows_of(9, 1, 1.0)));
    const auto h = r.hessian(x), expected = tape::hessian(chained, x);
    CHECK(h.value == expected.value);
    same(h.gradient, expected.gradient);
    same(h.hessian, expected.hessian);
    std::vector<double> gradient(11), all(121);
    CHECK(r.hessian(x, gradient, all) == h.value);
    CHECK(gradient == h.gradient);
    CHECK(std::equal(all.begin(), all.end(), h.hessian.data()));
    CHECK_THROWS_WITH(r.hessian(x, std::span(gradient).first(3), all),
                      "hessian: the recording has 11 elements of the gradient and 3 are given; give as many as it has");

    auto p = tape::record(polar, std::array{1.0, 1.0});
    const std::array at{2.0, 0.5};
    const auto j = p.value_and_jacobian(at);
    STATIC_REQUIRE(std::same_as<decltype(j.jacobian), std::array<std::array<double, 2>, 3>>);
    CHECK(j.values == std::array{2.0 * std::cos(0.5), 2.0 * std::sin(0.5), 7.0});
    const auto expected_jacobian = tape::jacobian(polar, at);
    for (std::size_t i = 0; i < 3; ++i) same(j.jacobian[i], expected_jacobian[i]);
    same(p.jvp(at, std::array{1.0, 2.0}), tape::jvp(polar, at, std::array{1.0, 2.0}));
    same(p.vjp(at, std::array{1.0, 2.0, 3.0}), tape::vjp(polar, at, std::array{1.0, 2.0, 3.0}));
    // More inputs than outputs: sweeps back, more than one group of them.
    const auto products = [](const auto& v) {
        std::vector<std::remove_cvref_t<decltype(v[0])>> y;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) y.push_back(v[i] * v[i + 1]);
        return y;
    };
    auto wide = tape::record(products, point_of(12));
    same(wide.jacobian(x.size() == 12 ? x : point_of(12, 2.0)), tape::jacobian(products, point_of(12, 2.0)));
}

TEST_CASE("a recording writes into memory of the caller", "[tape]") {
    const std::vector<double> x = point_of(5, 0.5), d = point_of(5, 1.0);
    auto r = tape::record(chained, point_of(5));
    std::vector<double> to(5);
    CHECK(r.value_and_gradient(x, to) == chained(x));
    same(to, tape::gradient(chained, x));
    r.gradient(point_of(5, 2.0), to);
    same(to, tape::gradient(chained, point_of(5, 2.0)));
    r.hvp(x, d, to);
    same(to, tape::hvp(chained, x, d));
    r.vjp(x, std::array{2.0}, to);
    same(to, tape::vjp(chained, x, 2.0));
    auto p = tape::record(polar, std::array{1.0, 1.0});
    const std::array at{2.0, 0.5};
    std::array<double, 3> three;
    p.values(at, three);
    same(three, p(at));
    p.jvp(at, std::array{1.0, 2.0}, three);
    same(three, p.jvp(at, std::array{1.0, 2.0}));
    std::array<double, 6> rows;
    p.jacobian(at, rows);
    CHECK(rows[3] == p.jacobian(at)[1][1]);
    CHECK(sentence_of([&] { p.jacobian(at, three); }) ==
          "jacobian: the recording has 6 elements of the Jacobian and 3 are given; give as many as it has");
    CHECK(sentence_of([&] { (void)r(point_of(4)); }) ==
          "replay: the recording has 5 numbers in its point and 4 are given; give as many as it has");
    CHECK(sentence_of([&] { (void)r.hvp(x, point_of(4)); }) ==
          "hvp: the point has 5 numbers and the direction 4; give as many of both");
    CHECK(sentence_of([&] { (void)p.vjp(at, x); }) ==
          "vjp: the recording has 3 weights and 5 are given; give as many as it has");
}

TEST_CASE("points in lanes", "[tape]") {
    auto r = tape::record(chained, point_of(6));
    for (const std::size_t rows : {0u, 1u, 3u, 8u, 21u}) {
        const tape::matrix<double> x = rows_of(rows, 6, 0.6);
        const auto found = r.value_and_gradient(x);
        const auto values = r(x);
        REQUIRE(found.value.size() == rows);
        for (std::size_t i = 0; i < rows; ++i) {
            CHECK(found.value[i] == Approx(chained(x.row(i))).epsilon(1e-14));
            CHECK(values(i, 0) == found.value[i]);
            same(found.gradient.row(i), tape::gradient(chained, x.row(i)));
        }
    }
    auto branching = tape::record([](const auto& x) { return x[0] < 3.0 ? x[0] * x[0] : x[0] * 1.0; }, std::array{1.0});
    const tape::matrix<double> far = rows_of(31, 1, -0.05);
    CHECK(branching.gradient(far)(30, 0) == 2 * far(30, 0));
    tape::matrix<double> one_beyond = far;
    one_beyond(19, 0) = 4.0;
    CHECK(sentence_of([&] { (void)branching.gradient(one_beyond); }) ==
          "replay: comparison 1, 4.0 < 3.0, is false at point 19 and was not when the function was recorded; record it "
          "again");
}

TEST_CASE("functions of three arguments, some of them plain numbers, beside those of std", "[tape]") {
    constexpr auto f = [](const auto& x) {
        using std::clamp, std::fma, std::hypot, std::lerp;
        return fma(x[0], x[1], 2.0) + fma(2, 3.0F, x[1]) + fma(x[0] * x[1], 2.0L, x[0]) + fma(2.0, x[0], x[1]) +
               lerp(x[0], 1.0, x[1]) + lerp(1, 2.0, x[0]) + hypot(x[0], 2.0, x[1]) + hypot(1, x[0], 2.0) +
               clamp(x[1], 0.0, 1.0) + clamp(0.5, x[0], 2.0 * x[1]);
    };
    auto r = tape::record(f, std::vector{1.0, 2.0});
    const std::vector x{0.25, 0.75};
    CHECK(r(x) == Approx(static_cast<double>(f(x)))); // f(x) has a long double
    same(r.gradient(x), tape::gradient(f, x));
}
