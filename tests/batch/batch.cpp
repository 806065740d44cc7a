// SPDX-License-Identifier: BSL-1.0
//
// batch(F): every result at many points is that of F at each, whatever the memory and however many points there are.
#include "catch.hpp"
#include "strided_span.hpp"

#include <chainrule/batch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

constexpr auto f = log(x) + x * y - sin(y);
constexpr auto F = cr::function(f, cr::wrt(x, y));
constexpr auto G = cr::function(cr::vector(x * exp(-y), cr::atan2(y, x), sqrt(x* y)), cr::wrt(x, y));

template <class T>
struct points {
    std::vector<T> xs, ys;
    explicit points(std::size_t n) : xs(n), ys(n) {
        for (std::size_t i = 0; i < n; ++i) {
            xs[i] = T(0.5) + static_cast<T>(i % 13) / 3;
            ys[i] = T(1.25) + static_cast<T>(i % 7) / 4;
        }
    }
};

template <class T>
Approx near(T number) {
    return Approx(number)
        .epsilon(64 * std::numeric_limits<T>::epsilon())
        .margin(64 * std::numeric_limits<T>::epsilon());
}

constexpr std::size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 16, 31, 67};

template <class T>
bool same_bits(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

} // namespace

TEMPLATE_TEST_CASE("batch: a function with one value", "[batch]", float, double) {
    using T = TestType;
    const auto b = cr::batch(F);
    for (const std::size_t n : counts) {
        const points<T> p(n);
        const auto in = cr::columns(p.xs, p.ys);
        const auto values = b.values(in);
        const auto gradient = b.gradient(in);
        const auto hessian = b.hessian(in);
        const auto [value, gradient_too] = b.value_and_gradient(in);
        const auto all = b.value_gradient_and_hessian(in);
        REQUIRE(values.size() == n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = F.value_gradient_and_hessian(p.xs[i], p.ys[i]);
            CHECK(values[i] == near(at.value));
            CHECK(value[i] == near(at.value));
            CHECK(all.value[i] == near(at.value));
            for (std::size_t j = 0; j < 2; ++j) {
                CHECK(gradient(i, j) == near(at.gradient[j]));
                CHECK(gradient_too(i, j) == near(at.gradient[j]));
                CHECK(all.gradient(i, j) == near(at.gradient[j]));
                for (std::size_t l = 0; l < 2; ++l) {
                    CHECK(hessian(i, j, l) == near(at.hessian[j][l]));
                    CHECK(all.hessian(i, j, l) == near(at.hessian[j][l]));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("batch: a function with several values", "[batch]", float, double) {
    using T = TestType;
    const auto b = cr::batch(G);
    for (const std::size_t n : counts) {
        const points<T> p(n);
        const auto in = cr::columns(p.xs, p.ys);
        const auto values = b.values(in);
        const auto jacobian = b.jacobian(in);
        const auto both = b.value_and_jacobian(in);
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = G.value_and_jacobian(p.xs[i], p.ys[i]);
            for (std::size_t r = 0; r < 3; ++r) {
                CHECK(values(i, r) == near(at.values[r]));
                CHECK(both.values(i, r) == near(at.values[r]));
                for (std::size_t j = 0; j < 2; ++j) {
                    CHECK(jacobian(i, r, j) == near(at.jacobian[r][j]));
                    CHECK(both.jacobian(i, r, j) == near(at.jacobian[r][j]));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("batch: products with directions and weights, one or several in a pass", "[batch]", float, double) {
    using T = TestType;
    const auto b = cr::batch(F);
    const auto c = cr::batch(G);
    const std::array<T, 2> first{T(1), T(-0.5)}, second{T(0.25), T(2)};
    const std::array<T, 3> weights{T(1), T(-2), T(0.5)};
    for (const std::size_t n : counts) {
        const points<T> p(n);
        const points<T> d(n);
        const auto in = cr::columns(p.xs, p.ys);
        const auto one = b.jvp(in, first);
        const auto own = b.jvp(in, cr::columns(d.ys, d.xs));
        const auto two = b.jvp(in, cr::several(first, cr::columns(d.ys, cr::common(T(3)))));
        const auto of_vector = c.jvp(in, cr::several(first, second));
        const auto product = b.hvp(in, cr::several(first, second));
        const auto one_product = b.hvp(in, second);
        const auto weighted = c.vjp(in, weights);
        const auto twice_weighted = c.vjp(in, cr::several(weights, cr::columns(d.xs, d.ys, d.xs)));
        const auto scaled = b.vjp(in, T(3));
        const auto series = b.template taylor<3>(in, second);
        const auto series_of_vector = c.template taylor<2>(in, first);
        for (std::size_t i = 0; i < n; ++i) {
            const std::array<T, 2> at{p.xs[i], p.ys[i]}, here{d.ys[i], d.xs[i]}, mixed{d.ys[i], T(3)};
            const std::array<T, 3> weights_here{d.xs[i], d.ys[i], d.xs[i]};
            CHECK(one[i] == near(F.jvp(at, first)));
            CHECK(own[i] == near(F.jvp(at, here)));
            CHECK(two(i, 0) == near(F.jvp(at, first)));
            CHECK(two(i, 1) == near(F.jvp(at, mixed)));
            for (std::size_t r = 0; r < 3; ++r) {
                CHECK(of_vector(i, 0, r) == near(G.jvp(at, first)[r]));
                CHECK(of_vector(i, 1, r) == near(G.jvp(at, second)[r]));
            }
            for (std::size_t j = 0; j < 2; ++j) {
                CHECK(product(i, 0, j) == near(F.hvp(at, first)[j]));
                CHECK(product(i, 1, j) == near(F.hvp(at, second)[j]));
                CHECK(one_product(i, j) == near(F.hvp(at, second)[j]));
                CHECK(weighted(i, j) == near(G.vjp(at, weights)[j]));
                CHECK(twice_weighted(i, 0, j) == near(G.vjp(at, weights)[j]));
                CHECK(twice_weighted(i, 1, j) == near(G.vjp(at, weights_here)[j]));
                CHECK(scaled(i, j) == near(3 * F.gradient(at)[j]));
            }
            for (std::size_t o = 0; o <= 3; ++o) CHECK(series(i, o) == near(F.template taylor<3>(at, second)[o]));
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t o = 0; o <= 2; ++o)
                    CHECK(series_of_vector(i, r, o) == near(G.template taylor<2>(at, first)[r][o]));
        }
    }
}

TEST_CASE("batch: a result does not depend on the number of points", "[batch]") {
    const auto b = cr::batch(F);
    const points<double> p(67);
    const auto all = b.value_and_gradient(cr::columns(p.xs, p.ys));
    for (std::size_t n = 1; n < 67; ++n) {
        const auto some = b.value_and_gradient(cr::columns(std::span(p.xs).first(n), std::span(p.ys).first(n)));
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(same_bits(some.value[i], all.value[i]));
            CHECK(same_bits(some.gradient(i, 0), all.gradient(i, 0)));
            CHECK(same_bits(some.gradient(i, 1), all.gradient(i, 1)));
        }
    }
}

TEST_CASE("batch: the kinds of memory give the same bits", "[batch]") {
    const auto b = cr::batch(F);
    constexpr std::size_t n = 37;
    const points<double> p(n);
    const auto expected = b.value_and_gradient(cr::columns(p.xs, p.ys));
    const auto check = [&](const auto& value, const auto& dx, const auto& dy) {
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(same_bits(value(i), expected.value[i]));
            CHECK(same_bits(dx(i), expected.gradient(i, 0)));
            CHECK(same_bits(dy(i), expected.gradient(i, 1)));
        }
    };
    SECTION("memory of the caller, unaligned") {
        std::vector<char> raw(3 * (n + 1) * sizeof(double));
        auto* const first = reinterpret_cast<double*>(raw.data());
        b.value_and_gradient(cr::columns(p.xs, p.ys), cr::column(first + 1, n),
                             cr::columns(cr::column(first + 1 + n, n), cr::column(first + 1 + 2 * n, n)));
        check([&](std::size_t i) { return first[1 + i]; }, [&](std::size_t i) { return first[1 + n + i]; },
              [&](std::size_t i) { return first[1 + 2 * n + i]; });
    }
    SECTION("rows with a stride, inputs and outputs in the same rows") {
        std::vector<double> rows(6 * n, -1.0);
        for (std::size_t i = 0; i < n; ++i) {
            rows[6 * i] = p.xs[i];
            rows[6 * i + 1] = p.ys[i];
        }
        const auto field = [&](std::size_t j) { return cr::column(rows.data() + j, n, 6); };
        b.value_and_gradient(cr::rows(rows, 6), field(2), cr::columns(field(3), field(4)));
        check([&](std::size_t i) { return rows[6 * i + 2]; }, [&](std::size_t i) { return rows[6 * i + 3]; },
              [&](std::size_t i) { return rows[6 * i + 4]; });
        for (std::size_t i = 0; i < n; ++i) CHECK(rows[6 * i + 5] == -1.0);
    }
    SECTION("rows that are arrays, and a last row that ends behind its numbers") {
        std::vector<std::array<double, 2>> in(n);
        for (std::size_t i = 0; i < n; ++i) in[i] = {p.xs[i], p.ys[i]};
        std::vector<double> value(n), gradient(5 * (n - 1) + 2);
        b.value_and_gradient(cr::rows(in), value, cr::rows(gradient, 5));
        check([&](std::size_t i) { return value[i]; }, [&](std::size_t i) { return gradient[5 * i]; },
              [&](std::size_t i) { return gradient[5 * i + 1]; });
    }
    SECTION("columns backwards") {
        std::vector<double> xs(p.xs.rbegin(), p.xs.rend());
        double value[n], dx[n], dy[n];
        b.value_and_gradient(cr::columns(cr::column(xs.data() + n - 1, n, -1), p.ys), value, cr::columns(dx, dy));
        check([&](std::size_t i) { return value[i]; }, [&](std::size_t i) { return dx[i]; },
              [&](std::size_t i) { return dy[i]; });
    }
}

TEST_CASE("batch: common numbers, names and parameters", "[batch]") {
    constexpr std::size_t n = 19;
    const points<double> p(n);
    const auto b = cr::batch(F);
    const auto common = b.gradient(cr::columns(p.xs, cr::common(2.0)));
    const auto plain = b.gradient(cr::columns(p.xs, 2));
    const auto named = b.gradient(cr::columns(y = 2.0, x = p.xs));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            CHECK(common(i, j) == near(F.gradient(p.xs[i], 2.0)[j]));
            CHECK(same_bits(plain(i, j), common(i, j)));
            CHECK(same_bits(named(i, j), common(i, j)));
        }

    auto with_parameter = cr::batch(cr::function(exp(-k * x) * (k + y), cr::wrt(x, y), cr::given(k = 0.3)));
    auto P = cr::function(exp(-k * x) * (k + y), cr::wrt(x, y), cr::given(k = 0.3));
    const auto bound = with_parameter.values(cr::columns(p.xs, p.ys));
    const auto per_point = with_parameter.values(cr::columns(k = p.ys, x = cr::column(p.xs), y = cr::column(p.ys)));
    const auto common_parameter =
        with_parameter.values(cr::columns(x = cr::column(p.xs), y = std::span(p.ys), k = 0.7));
    with_parameter.set(k = 0.9);
    const auto set = with_parameter.values(cr::columns(p.xs, p.ys));
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(bound[i] == near(P(p.xs[i], p.ys[i])));
        CHECK(per_point[i] == near(P(x = p.xs[i], y = p.ys[i], k = p.ys[i])));
        CHECK(common_parameter[i] == near(P(x = p.xs[i], y = p.ys[i], k = 0.7)));
        CHECK(set[i] == near(P(x = p.xs[i], y = p.ys[i], k = 0.9)));
    }
}

TEST_CASE("batch: stored numbers, traced code and one variable", "[batch]") {
    constexpr std::size_t n = 11;
    const points<double> p(n);
    const auto stored = cr::function(2.5 * x * y + exp(x) / 1.5, cr::wrt(x, y));
    constexpr auto traced = cr::function([](auto a, auto b) {
        auto s = 0.0 * a;
        for (int i = 1; i < 4; ++i) s += exp(-a * i) * b;
        return s;
    });
    constexpr auto one = cr::function(x * x * x, cr::wrt(x));
    const auto of_stored = cr::batch(stored).value_and_gradient(cr::columns(p.xs, p.ys));
    const auto of_traced = cr::batch(traced).value_and_gradient(cr::columns(p.xs, p.ys));
    std::vector<double> cubes(n), slopes(n);
    cr::batch(one).value_and_gradient(p.xs, cubes, slopes);
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(of_stored.value[i] == near(stored(p.xs[i], p.ys[i])));
        CHECK(of_stored.gradient(i, 1) == near(stored.gradient(p.xs[i], p.ys[i])[1]));
        CHECK(of_traced.value[i] == near(traced(p.xs[i], p.ys[i])));
        CHECK(of_traced.gradient(i, 0) == near(traced.gradient(p.xs[i], p.ys[i])[0]));
        CHECK(cubes[i] == p.xs[i] * p.xs[i] * p.xs[i]);
        CHECK(slopes[i] == near(3 * p.xs[i] * p.xs[i]));
    }
}

TEST_CASE("batch: the upper triangle of the Hessian, where there are columns for just that", "[batch]") {
    constexpr std::size_t n = 10;
    const points<double> p(n);
    std::vector<double> xx(n), xy(n), yy(n);
    const auto b = cr::batch(F);
    const auto full = b.hessian(cr::columns(p.xs, p.ys));
    b.hessian(cr::columns(p.xs, p.ys), cr::columns(xx, xy, yy));
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(same_bits(xx[i], full(i, 0, 0)));
        CHECK(same_bits(xy[i], full(i, 0, 1)));
        CHECK(same_bits(xy[i], full(i, 1, 0)));
        CHECK(same_bits(yy[i], full(i, 1, 1)));
    }
}

TEST_CASE("batch: spans of two dimensions, by rows and by columns", "[batch]") {
    constexpr std::size_t n = 21;
    const points<double> p(n);
    const auto b = cr::batch(F);
    const auto expected = b.gradient(cr::columns(p.xs, p.ys));
    std::vector<double> by_row(2 * n), by_column(2 * n), out(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        by_row[2 * i] = by_column[i] = p.xs[i];
        by_row[2 * i + 1] = by_column[n + i] = p.ys[i];
    }
    const auto check = [&](const auto& in) {
        spans::for_each_matrix(out.data(), n, 2, 2, [&](const auto& to) {
            std::fill(out.begin(), out.end(), 0.0);
            b.gradient(cr::rows(in), to);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < 2; ++j) CHECK(same_bits(out[2 * i + j], expected(i, j)));
        });
    };
    spans::for_each_matrix(static_cast<const double*>(by_row.data()), n, 2, 2, check);
    check(spans::strided_span<const double, 2>{by_column.data(), {n, 2}, {1, n}});
    spans::for_each_column(by_row.data(), n, 2, [&](const auto& xs) {
        const auto values = b.values(cr::columns(x = xs, y = p.ys));
        CHECK(same_bits(values[n - 1], b.values(cr::columns(p.xs, p.ys))[n - 1]));
    });
}

namespace {

template <class Call>
std::string sentence_of(const Call& call) {
    try {
        call();
    } catch (const cr::bad_data& wrong) {
        return wrong.what();
    }
    return "";
}

} // namespace

TEST_CASE("batch: columns that do not fit are refused before anything is computed", "[batch]") {
    const auto b = cr::batch(F);
    std::vector<double> three{1, 2, 3}, four{1, 2, 3, 4}, out{7, 7, 7}, more{7, 7, 7, 7}, other{7, 7, 7};
    CHECK(sentence_of([&] { b.values(cr::columns(three, four), out); }) ==
          "batch: the column of y has 4 numbers and the column of x has 3; give columns of equal length");
    CHECK(sentence_of([&] { b.values(cr::columns(three, three), more); }) ==
          "batch: the output column 1 has 4 numbers and the column of x has 3; give columns of equal length");
    CHECK(sentence_of([&] { b.jvp(cr::columns(three, 1.0), cr::columns(three, four), out); }) ==
          "batch: the direction's or weights' column 2 has 4 numbers and the column of x has 3; give columns of equal "
          "length");
    CHECK(sentence_of([&] { b.values(cr::columns(three, 1.0), three); }) ==
          "batch: the output column 1 overlaps the column of x; write results to memory of their own");
    CHECK(sentence_of([&] { b.gradient(cr::columns(three, 1.0), cr::columns(out, out)); }) ==
          "batch: the output column 2 overlaps the output column 1; write results to memory of their own");
    CHECK(sentence_of([&] {
              b.values(cr::columns(cr::column(more.data(), 3), 1.0), cr::column(more.data() + 1, 3));
          }) == "batch: the output column 1 overlaps the column of x; write results to memory of their own");
    CHECK(sentence_of([&] { b.values(cr::rows(four, 1), out); }) ==
          "rows: the stride is 1 and a row has 2 numbers; give a stride of at least 2");
    CHECK(sentence_of([&] { b.values(cr::rows(three, 2), out); }) ==
          "rows: 3 numbers do not make whole rows of 2 with a stride of 2; the last row is too short");
    const spans::strided_span<const double, 2> wide{four.data(), {1, 4}, {4, 1}};
    CHECK(sentence_of([&] { b.values(wide, cr::column(out.data(), 1)); }) ==
          "batch: a matrix has 4 columns where 2 are needed; give one per number");
    for (double number : {out[0], out[1], out[2], more[0], more[3], other[0]}) CHECK(number == 7);
    CHECK(three == std::vector<double>{1, 2, 3});
    CHECK(sentence_of([&] { b.values(cr::columns(std::vector<double>{}, 1.0), std::vector<double>{}); }).empty());
}

// With clang also where it contracts products and sums.
TEST_CASE("batch: arithmetic is that of the kernel of one point, bit for bit", "[batch]") {
    constexpr std::size_t n = 50;
    const points<double> p(n);
    constexpr auto arithmetic = cr::function(x * y + x / y - x * (y - x * x) * sqrt(x), cr::wrt(x, y));
    const auto all = cr::batch(arithmetic).value_and_gradient(cr::columns(p.xs, p.ys));
    for (std::size_t i = 0; i < n; ++i) {
        const auto [value, gradient] = arithmetic.value_and_gradient(p.xs[i], p.ys[i]);
        CHECK(same_bits(all.value[i], value));
        CHECK(same_bits(all.gradient(i, 0), gradient[0]));
        CHECK(same_bits(all.gradient(i, 1), gradient[1]));
    }
}

TEST_CASE("a batch of an expression, a vector or code is that of its function", "[batch]") {
    constexpr auto u = cr::variable<"u">;
    constexpr auto v = cr::variable<"v">;
    const std::vector<double> us{1.0, 2.0, 3.0}, vs{4.0, 5.0, 6.0};
    const auto points = cr::columns(us, vs);
    const auto all = cr::batch(cr::function(u * exp(v))).gradient(points);
    const auto same = [&](const auto& b) {
        for (std::size_t i = 0; i < us.size(); ++i)
            if (b.gradient(points)(i, 0) != all(i, 0) || b.gradient(points)(i, 1) != all(i, 1)) return false;
        return true;
    };
    CHECK(same(cr::batch(u * exp(v))));
    CHECK(same(cr::batch([](auto a, auto b) { return a * exp(b); }, cr::threads(2))));
    CHECK(cr::batch(cr::vector(u * v, u)).jacobian(points)(2, 0, 1) == 3.0);
}

TEST_CASE("a result that was moved from has no points", "[batch]") {
    const std::vector<double> xs{1.0, 2.0}, ys{4.0, 5.0};
    auto all = cr::batch(F).gradient(cr::columns(xs, ys));
    auto moved = std::move(all);
    CHECK(moved.size() == 2);
    CHECK(all.size() == 0); // NOLINT: what is moved from has no points
    all = std::move(moved);
    CHECK(all(1, 1) == F.gradient(2.0, 5.0)[1]);
    CHECK(moved.size() == 0); // NOLINT
}

TEST_CASE("columns of a result are ranges, and so is a result of one number per point", "[batch]") {
    const std::vector<double> xs{1.0, 2.0, 3.0}, ys{4.0, 5.0, 6.0};
    const auto all = cr::batch(F).value_and_gradient(cr::columns(xs, ys));
    double values = 0.0, slopes = 0.0;
    for (const double each : all.value) values += each;
    for (const double each : all.gradient.column(1)) slopes += each;
    CHECK(values == all.value[0] + all.value[1] + all.value[2]);
    CHECK(slopes == all.gradient(0, 1) + all.gradient(1, 1) + all.gradient(2, 1));
    // A column of a result is an input as before.
    const auto second = cr::batch(F).values(cr::columns(all.value, all.gradient.column(1)));
    CHECK(second[2] == F(all.value[2], all.gradient(2, 1)));
}
