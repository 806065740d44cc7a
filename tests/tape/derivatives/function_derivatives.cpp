// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions in one call, at points of every layout, against formulas and against one another.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>

#include <cmath>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;

/// sum of x_i^2 sin(x_{i+1}) + x_i, for lists of any kind.
constexpr auto chained = [](const auto& x) {
    std::remove_cvref_t<decltype(x[0])> s = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) s += x[i] * x[i] * sin(x[i + 1]) + x[i];
    return s;
};
std::vector<double> gradient_of_chained(const std::vector<double>& x) {
    std::vector<double> g(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (i + 1 < x.size()) g[i] += 2 * x[i] * std::sin(x[i + 1]) + 1;
        if (i > 0) g[i] += x[i - 1] * x[i - 1] * std::cos(x[i]);
    }
    return g;
}
std::vector<double> point_of(std::size_t size) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(0.3 + 0.17 * static_cast<double>(i));
    return x;
}
template <class Found, class Expected>
void same(const Found& found, const Expected& expected) {
    REQUIRE(std::size(found) == std::size(expected));
    for (std::size_t i = 0; i < std::size(found); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-13));
}
/// Three results of a list.
constexpr auto three = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return std::array<T, 3>{x[0] * x[1], sin(x[0]), T(7.0)};
};

} // namespace

TEST_CASE("a gradient is laid out as the point", "[tape]") {
    const std::vector<double> x{0.3, 0.47, 0.64};
    const std::vector<double> expected = gradient_of_chained(x);

    const auto of_vector = tape::gradient(chained, x);
    STATIC_REQUIRE(std::same_as<decltype(of_vector), const std::vector<double>>);
    same(of_vector, expected);
    const auto of_array = tape::gradient(chained, std::array{0.3, 0.47, 0.64});
    STATIC_REQUIRE(std::same_as<decltype(of_array), const std::array<double, 3>>);
    same(of_array, expected);
    const auto of_span = tape::gradient(chained, std::span(x));
    STATIC_REQUIRE(std::same_as<decltype(of_span), const std::vector<double>>);
    same(of_span, expected);
    const auto of_fixed_span = tape::gradient(chained, std::span<const double, 3>(x));
    STATIC_REQUIRE(std::same_as<decltype(of_fixed_span), const std::array<double, 3>>);
    const double plain[] = {0.3, 0.47, 0.64};
    same(tape::gradient(chained, plain), expected);
    const auto of_floats = tape::gradient(chained, std::vector{0.5F, 0.25F});
    STATIC_REQUIRE(std::same_as<decltype(of_floats), const std::vector<float>>);
    CHECK(of_floats[0] == Approx(std::sin(0.25) + 1));

    // Separate numbers; integers are doubles.
    const auto of_numbers = tape::gradient([](const auto& a, const auto& b) { return a * a * b; }, 3, 2.0);
    STATIC_REQUIRE(std::same_as<decltype(of_numbers), const std::array<double, 2>>);
    CHECK(of_numbers == std::array{12.0, 9.0});
    CHECK(tape::gradient([](const auto& a) { return 1 / a; }, 4)[0] == -1.0 / 16);

    const auto both = tape::value_and_gradient(chained, x);
    CHECK(both.value == chained(x));
    same(both.gradient, expected);
    // A constant, and a point without numbers.
    CHECK(tape::gradient([](const auto&) { return 5.0; }, std::vector{1.0, 2.0}) == std::vector{0.0, 0.0});
    CHECK(tape::value_and_gradient([](const auto&) { return 5.0; }, std::vector<double>{}).value == 5);
    CHECK(tape::hessian([](const auto&) { return 5.0; }, std::vector<double>{}).value == 5);
}

TEST_CASE("Jacobians of functions that return arrays and vectors", "[tape]") {
    const auto j = tape::jacobian(three, std::array{2.0, 3.0});
    STATIC_REQUIRE(std::same_as<decltype(j), const std::array<std::array<double, 2>, 3>>);
    CHECK(j[0] == std::array{3.0, 2.0});
    CHECK(j[1] == std::array{std::cos(2.0), 0.0});
    CHECK(j[2] == std::array{0.0, 0.0});
    const auto both = tape::value_and_jacobian(three, std::vector{2.0, 3.0});
    STATIC_REQUIRE(std::same_as<decltype(both.values), std::array<double, 3>>);
    STATIC_REQUIRE(std::same_as<decltype(both.jacobian), tape::matrix<double>>);
    CHECK(both.values == std::array{6.0, std::sin(2.0), 7.0});
    CHECK(both.jacobian(0, 0) == 3);
    // As many results as the function makes, all of them expressions of one type.
    const auto squares =
        tape::jacobian([](const auto& a, const auto& b) { return std::vector{a * a, b * b, a * b}; }, 2.0, 3.0);
    CHECK(squares(1, 1) == 6);
    CHECK(squares(2, 0) == 3);
}

TEST_CASE("second derivatives of arrays are arrays", "[tape]") {
    const auto f = [](const auto& x) { return x[0] * x[0] * x[1]; };
    const auto h = tape::hessian(f, std::array{2.0, 3.0});
    CHECK(h.value == 12);
    CHECK(h.gradient == std::array{12.0, 4.0});
    CHECK(h.hessian == std::array{std::array{6.0, 4.0}, std::array{4.0, 0.0}});
    CHECK(tape::hessian([](const auto& a, const auto& b) { return a * a * b; }, 2, 3).hessian == h.hessian);
}

TEST_CASE("products with any number of directions agree with the matrices", "[tape]") {
    const std::size_t n = 5;
    const auto x = point_of(n);
    const auto f = [](const auto& v) {
        std::vector<std::remove_cvref_t<decltype(v[0])>> y;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) y.push_back(v[i] * v[i] * exp(v[i + 1]));
        return y;
    };
    const auto j = tape::value_and_jacobian(f, x);
    const auto h = tape::hessian(chained, x);
    // 11 rows make parts of eight lanes and of four; 1 and 0 are edges.
    for (const std::size_t count : {0U, 1U, 3U, 11U}) {
        tape::matrix<double> directions(count, n), weights(count, n - 1);
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < n; ++i) {
                directions(k, i) = std::cos(1.0 + static_cast<double>(k * n + i));
                if (i + 1 < n) weights(k, i) = std::sin(2.0 + static_cast<double>(k * n + i));
            }
        const auto forward = tape::value_and_jvp(f, x, directions);
        const auto reverse = tape::value_and_vjp(f, x, weights);
        const auto second = tape::value_gradient_and_hvp(chained, x, directions);
        same(forward.value, j.values);
        same(reverse.value, j.values);
        CHECK(second.value == h.value);
        same(second.gradient, h.gradient);
        REQUIRE(forward.product.rows() == count);
        REQUIRE(reverse.product.rows() == count);
        REQUIRE(second.product.rows() == count);
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<double> along(n - 1), back(n), curved(n);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t r = 0; r < n; ++r) {
                    if (r + 1 < n) along[r] += j.jacobian(r, i) * directions(k, i);
                    if (r + 1 < n) back[i] += j.jacobian(r, i) * weights(k, r);
                    curved[r] += h.hessian(r, i) * directions(k, i);
                }
            same(forward.product.row(k), along);
            same(reverse.product.row(k), back);
            same(second.product.row(k), curved);
            // One by one.
            same(tape::jvp(f, x, directions.row(k)), along);
            same(tape::vjp(f, x, weights.row(k)), back);
            same(tape::hvp(chained, x, directions.row(k)), curved);
        }
    }
    // A function of one value.
    const auto g = gradient_of_chained(x);
    const auto slope = tape::value_and_jvp(chained, x, std::vector{1, 0, 0, 0, 0});
    STATIC_REQUIRE(std::same_as<decltype(slope.product), double>);
    CHECK(slope.product == Approx(g[0]).epsilon(1e-13));
    CHECK(slope.value == chained(x));
    const auto doubled = tape::value_and_vjp(chained, x, 2);
    CHECK(doubled.value == chained(x));
    CHECK(doubled.product[1] == Approx(2 * g[1]).epsilon(1e-13));
    CHECK(tape::vjp([](const auto&) { return std::array{1.0, 2.0}; }, x, std::array{1.0, 1.0}) ==
          std::vector<double>(n));
}

TEST_CASE("derivatives are written into memory of the caller", "[tape]") {
    const std::size_t n = 5;
    const auto x = point_of(n);
    std::vector<double> to(n);
    CHECK(tape::value_and_gradient(chained, x, to) == chained(x));
    CHECK(to == tape::gradient(chained, x));
    std::array<double, 3> small{};
    tape::gradient(chained, std::array{0.3, 0.47, 0.64}, small);
    CHECK(small == tape::gradient(chained, std::array{0.3, 0.47, 0.64}));
    tape::gradient([](const auto&) { return 3.0; }, x, to); // zeros for a constant
    CHECK(to == std::vector<double>(n));

    std::vector<double> rows(3 * n);
    tape::jacobian(three, x, rows);
    const auto j = tape::jacobian(three, x);
    CHECK(rows == std::vector(j.data(), j.data() + 3 * n));

    const std::vector d{1.0, -0.5, 2.0, 0.0, 0.25};
    tape::hvp(chained, x, d, to);
    CHECK(to == tape::hvp(chained, x, d));
    std::array<double, 3> along{};
    tape::jvp(three, x, d, along);
    CHECK(along == tape::jvp(three, x, d));
    tape::vjp(three, x, std::array{1.0, 2.0, 3.0}, to);
    CHECK(to == tape::vjp(three, x, std::array{1.0, 2.0, 3.0}));
    double slope = 0;
    tape::jvp(chained, x, d, std::span(&slope, 1));
    CHECK(slope == tape::jvp(chained, x, d));

    for (const std::size_t count : {0U, 1U, 11U}) {
        tape::matrix<double> directions(count, n), weights(count, 3);
        for (std::size_t k = 0; k < count; ++k) {
            for (std::size_t i = 0; i < n; ++i) directions(k, i) = std::cos(1.0 + static_cast<double>(k * n + i));
            for (std::size_t i = 0; i < 3; ++i) weights(k, i) = std::sin(1.0 + static_cast<double>(k * n + i));
        }
        const auto written = [&](std::size_t columns, auto write, const tape::matrix<double>& expected) {
            std::vector<double> all(count * columns);
            write(std::span(all));
            CHECK(all == std::vector(expected.data(), expected.data() + count * columns));
        };
        written(3, [&](auto all) { tape::jvp(three, x, directions, all); }, tape::jvp(three, x, directions));
        written(n, [&](auto all) { tape::vjp(three, x, weights, all); }, tape::vjp(three, x, weights));
        written(n, [&](auto all) { tape::hvp(chained, x, directions, all); }, tape::hvp(chained, x, directions));
    }

    // Active numbers: the derivatives are on their tape.
    tape::tape t;
    const auto at = t.variables(x);
    std::vector<number> slopes(n);
    tape::gradient(chained, at, slopes);
    t.backward(slopes[1]);
    CHECK(at[1].gradient() == Approx(tape::hessian(chained, x).hessian(1, 1)).epsilon(1e-13));

    const auto faulty = [](const char* call, std::size_t size) {
        return std::string(call) + ": the result has " + std::to_string(size) +
               " numbers and memory for 2 is given; give as many of both";
    };
    const std::span<double> two = std::span(to).first(2);
    CHECK(sentence_of([&] { tape::gradient(chained, x, two); }) == faulty("gradient", 5));
    CHECK(sentence_of([&] { tape::jacobian(three, x, two); }) == faulty("jacobian", 15));
    CHECK(sentence_of([&] { tape::jvp(three, x, d, two); }) == faulty("jvp", 3));
    CHECK(sentence_of([&] { tape::vjp(three, x, std::array{1.0, 2.0, 3.0}, two); }) == faulty("vjp", 5));
    CHECK(sentence_of([&] { tape::hvp(chained, x, d, two); }) == faulty("hvp", 5));
}

TEST_CASE("derivatives within derivatives: reverse over reverse", "[tape]") {
    const auto x = point_of(4);
    const auto expected = tape::hessian(chained, x);
    const auto second = tape::value_and_jacobian([](const auto& p) { return tape::gradient(chained, p); }, x);
    same(second.values, expected.gradient);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 4; ++k)
            CHECK(second.jacobian(i, k) == Approx(expected.hessian(i, k)).margin(1e-15).epsilon(1e-13));
    // The third derivative of x^5 in three levels, and that of a curvature by a product.
    const auto fifth = [](const auto& v) { return v * v * v * v * v; };
    const auto third = tape::gradient(
        [&](const auto& a) { return tape::gradient([&](const auto& b) { return tape::gradient(fifth, b)[0]; }, a)[0]; },
        2.0);
    CHECK(third[0] == 240);
    const auto mixed = tape::gradient(
        [&](const auto& p) {
            const auto square = [](const auto& q) { return q[0] * q[0] * q[0] * q[1]; };
            return tape::hvp(square, p, std::array{1.0, 0.0})[0]; // 6 x y
        },
        std::array{2.0, 3.0});
    CHECK(mixed == std::array{18.0, 12.0});
    // Recorded on a tape of one's own, and with a captured number of it.
    tape::tape t;
    const auto a = t.variable(3.0);
    const auto inner = tape::gradient([&](const auto& v) { return a * v * v; }, a); // 2 a v at v = a
    t.backward(inner[0]);
    CHECK(inner[0].value() == 18);
    CHECK(a.gradient() == 12);
}

TEST_CASE("weights beside outputs", "[tape]") {
    tape::tape t;
    const auto x = t.variables(std::vector{2.0, 3.0});
    const std::vector<number> y{x[0] * x[1], x[0] + 0.0, number(4.0), x[0] * x[1]};
    t.backward(y, std::vector{1.0, 10.0, 5.0, 1.0});
    CHECK(x[0].gradient() == 16);
    CHECK(x[1].gradient() == 4);
    const auto lanes = t.backward<2>(y, std::vector{1.0, 0.0, 0.0, 0.0, 0.0, 10.0, 5.0, 1.0});
    CHECK(lanes[x[0]] == std::array{3.0, 13.0});
    CHECK(contains(sentence_of([&] { t.backward(y, std::vector{1.0}); }),
                   "backward: 4 outputs and 1 weights are given; give as many of both"));
    CHECK(contains(sentence_of([&] { (void)t.backward<1>(y, std::vector<double>(8)); }),
                   "backward: 8 weights are given for 4 outputs in 1 lanes; give one weight per output and lane"));
    CHECK(contains(sentence_of([&] { (void)tape::jvp(three, std::vector{1.0, 2.0}, std::vector{1.0}); }),
                   "jvp: the point has 2 numbers and the direction 1; give as many of both"));
    CHECK(contains(sentence_of([&] { (void)tape::hvp(chained, std::vector{1.0, 2.0}, tape::matrix<double>(2, 3)); }),
                   "hvp: the point has 2 numbers and the direction 3; give as many of both"));
    CHECK(contains(sentence_of([&] { (void)tape::vjp(three, std::vector{1.0, 2.0}, std::vector{1.0}); }),
                   "vjp: the function returns 3 numbers and 1 weights are given; give as many of both"));
}

TEST_CASE("integers in a point are doubles", "[tape]") {
    const auto f = [](const auto& v) { return 0.5 * v[0] * v[1] * v[1]; };
    const auto g = [](const auto& v) {
        using T = std::remove_cvref_t<decltype(v[0])>;
        return std::array<T, 2>{0.5 * v[0] * v[1], v[0] / v[1]};
    };
    const auto check = [&](const auto& x, const auto& direction) {
        const std::vector<double> at{1.0, 3.0}, along{1.0, 2.0};
        std::array<double, 4> matrix{};
        std::array<double, 2> list{};
        same(tape::gradient(f, x), tape::gradient(f, at));
        CHECK(tape::value_and_gradient(f, x, list) == 4.5);
        same(list, tape::gradient(f, at));
        CHECK(tape::value_and_gradient(f, x).value == 4.5);
        tape::jacobian(g, x, matrix);
        CHECK(matrix[3] == tape::jacobian(g, at)(1, 1));
        CHECK(tape::hessian(f, x).gradient[0] == 4.5);
        CHECK(tape::jvp(f, x, direction) == 10.5);
        CHECK(tape::value_and_jvp(f, x, direction).value == 4.5);
        tape::jvp(g, x, direction, list);
        same(list, tape::jvp(g, at, along));
        same(tape::vjp(f, x, 2), tape::vjp(f, at, 2.0));
        same(tape::vjp(g, x, direction), tape::vjp(g, at, along));
        CHECK(tape::value_and_vjp(f, x, 2).value == 4.5);
        tape::vjp(g, x, direction, list);
        same(list, tape::vjp(g, at, along));
        same(tape::hvp(f, x, direction), tape::hvp(f, at, along));
        CHECK(tape::value_gradient_and_hvp(f, x, direction).gradient[0] == 4.5);
        tape::hvp(f, x, direction, list);
        same(list, tape::hvp(f, at, along));
    };
    const std::vector<int> x{1, 3};
    check(x, std::vector{1, 2});
    check(std::array{1L, 3L}, std::vector{1.0, 2.0});
    check(std::span(x), std::array{1, 2});
    CHECK(tape::hessian(f, x).hessian(1, 1) == 1);
    same(tape::hessian_vector_product(f, x, x), tape::hvp(f, std::vector{1.0, 3.0}, std::vector{1.0, 3.0}));
    same(tape::hessian_vector_product(f, x, {1, 3}), tape::hessian_vector_product(f, x, x));
    same(tape::hessian_vector_product(f, {1.0, 3.0}, {1.0, 3.0}), tape::hessian_vector_product(f, x, x));
}
