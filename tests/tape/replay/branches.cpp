// SPDX-License-Identifier: BSL-1.0
//
// What replay makes of branches, choices and numbers read by value(), of kernels and custom functions, and of numbers
// that leave their recording.
#include "catch.hpp"
#include "custom_functions.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

// Its derivative refuses points beyond 4.
struct guarded_function : cr::custom_function<guarded_function, 1> {
    static constexpr char name[] = "guarded";
    template <class T>
    static constexpr T value(const T& x) {
        return x * x;
    }
    template <int K, class T>
    static constexpr T derivative(const T& x, const T&) {
        if (x > T(4)) throw std::domain_error("beyond 4");
        return 2 * x;
    }
};
constexpr guarded_function guarded;

template <class Found, class Expected>
void same(const Found& found, const Expected& expected) {
    REQUIRE(std::size(found) == std::size(expected));
    for (std::size_t i = 0; i < std::size(found); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));
}
tape::matrix<double> rows_of(std::size_t rows, std::size_t columns, double from) {
    tape::matrix<double> m(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            m(i, j) = from + 0.1 * static_cast<double>(i) - 0.07 * static_cast<double>(j);
    return m;
}

} // namespace

TEST_CASE("a comparison with another outcome is an exception", "[tape]") {
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        if (x[0] < 1.0) return T(x[0] * x[1]);
        return T(x[0] + x[1]);
    };
    auto r = tape::record(f, std::array{0.5, 3.0});
    CHECK(r.comparisons() == 1);
    CHECK(r(std::array{0.25, 7.0}) == 0.25 * 7.0);
    std::array<double, 2> to{-1.0, -2.0};
    CHECK(sentence_of([&] { r.gradient(std::array{2.5, 3.0}, to); }) ==
          "replay: comparison 1, 2.5 < 1.0, is false here and was not when the function was recorded; record it again");
    CHECK(to == std::array{-1.0, -2.0}); // nothing is half done
    CHECK(r.gradient(std::array{0.25, 7.0}) == std::array{7.0, 0.25});
    r.record_again(std::array{2.5, 3.0});
    CHECK(r(std::array{2.0, 7.0}) == 9.0);
    CHECK_THROWS_AS(r(std::array{0.5, 7.0}), tape::comparison_changed);
    r.record_when_changed();
    CHECK(r.gradient(std::array{0.5, 7.0}) == std::array{7.0, 0.5});
    CHECK(r.gradient(std::array{1.5, 7.0}) == std::array{1.0, 1.0});
    CHECK_THROWS_AS(r.gradient(rows_of(2, 2, -1.0)), tape::comparison_changed); // points in lanes throw

    // How often a loop runs.
    const auto root = [](const auto& a) {
        using T = std::remove_cvref_t<decltype(a)>;
        T x = a > 1.0 ? a : T(1.0);
        for (;;) {
            const T next = 0.5 * (x + a / x);
            if (next >= x) return x;
            x = next;
        }
    };
    auto newton = tape::record(root, 9.0);
    CHECK(newton(9.0) == 3.0);
    CHECK(newton.gradient(9.0)[0] == Approx(1.0 / 6));
    CHECK(contains(sentence_of([&] { (void)newton(1e6); }), "record it again"));
    newton.record_when_changed();
    CHECK(newton(1e6) == root(1e6));

    // Comparisons that hold no input are none, and each is checked once.
    const auto many = [](const auto& x) {
        std::remove_cvref_t<decltype(x)> limit = 3.0, y = x;
        for (int i = 0; i < 10; ++i)
            if (x < 5.0 && limit > 1.0) y = y * x;
        return y;
    };
    CHECK(tape::record(many, 2.0).comparisons() == 1);
    // The other comparisons of numbers.
    const auto others = [](const auto& x) {
        using std::isfinite, std::isnan;
        std::remove_cvref_t<decltype(x)> y = x;
        if (isnan(x)) y = 0.0;
        if (isfinite(x)) y = y * 2.0;
        if (!(x != 2.0)) y = y * 3.0;
        return y;
    };
    auto classified = tape::record(others, 4.0);
    CHECK(classified(5.0) == 10.0);
    CHECK_THROWS_AS(classified(2.0), tape::comparison_changed);
    CHECK_THROWS_AS(classified(std::numeric_limits<double>::infinity()), tape::comparison_changed);
    CHECK(contains(sentence_of([&] { (void)classified(std::nan("")); }), "comparison 1, nan != nan, is true here"));
}

TEST_CASE("memory for results is checked against a function that is recorded anew", "[tape]") {
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return x[0] < 0.0 ? std::vector<T>{x[0], x[1], x[0] * x[1]} : std::vector<T>{x[0] * x[1]};
    };
    auto r = tape::record(f, std::array{2.0, 3.0});
    r.record_when_changed();
    const std::array one{2.0, 3.0}, three{-2.0, 3.0}, along{1.0, 1.0};
    std::vector<double> to(2, 7.0), result(1, 7.0);
    CHECK(sentence_of([&] { r.jacobian(three, to); }) ==
          "jacobian: the recording has 6 elements of the Jacobian and 2 are given; give as many as it has");
    r.record_again(one);
    CHECK(sentence_of([&] { r.values(three, result); }) ==
          "values: the recording has 3 values and 1 are given; give as many as it has");
    r.record_again(one);
    CHECK(sentence_of([&] { r.jvp(three, along, result); }) ==
          "jvp: the recording has 3 elements of the product and 1 are given; give as many as it has");
    r.record_again(one);
    CHECK(sentence_of([&] { r.vjp(three, result, to); }) ==
          "vjp: the recording has 3 weights and 1 are given; give as many as it has");
    r.record_again(one);
    CHECK(sentence_of([&] { (void)r.vjp(three, result); }) ==
          "vjp: the recording has 3 weights and 1 are given; give as many as it has");
    r.record_again(one);
    CHECK(contains(sentence_of([&] { r.taylor(three, along, to); }), "the recording has 3 values and room for 2"));
    CHECK(to == std::vector{7.0, 7.0});
    r.jacobian(one, to);
    CHECK(to == std::vector{3.0, 2.0});
}

TEST_CASE("a number that value() reads may not change", "[tape]") {
    const auto f = [](const auto& x) { return x[0] * static_cast<double>(static_cast<int>(value(floor(x[1])))); };
    auto r = tape::record(f, std::array{2.0, 3.5});
    CHECK(r.comparisons() == 1);
    CHECK(r(std::array{5.0, 3.25}) == 15.0);
    CHECK(sentence_of([&] { (void)r(std::array{5.0, 4.25}); }) ==
          "replay: comparison 1, of a number that value() reads, finds 4.0 here and found 3.0 when the function was "
          "recorded; record it again, or compute with the number itself");
    auto signs = tape::record([](const auto& x) { return x * cr::value(x - x); }, 2.0);
    CHECK(signs(3.0) == 0.0);
}

TEST_CASE("choices and functions with kinks are replayed for every outcome", "[tape]") {
    const auto f = [](const auto& x) {
        using std::abs, std::max, cr::select, cr::piecewise;
        return select(x[0] > 0.0 && !(x[1] > 2.0), log(x[0]) * x[1], x[0] * x[0]) + abs(x[1]) +
               max(x[0], x[1]) * piecewise(x[0] < -1.0, x[0], x[0] < 1.0, 2.0 * x[1], 0.5 * x[1] * x[0]);
    };
    auto r = tape::record(f, std::array{0.5, 1.5});
    CHECK(r.comparisons() == 0);
    for (const std::array x : {std::array{2.0, 1.0}, {2.0, 3.0}, {-2.0, -1.0}, {0.5, -0.25}, {-0.5, 4.0}}) {
        CHECK(r(x) == f(x));
        same(r.gradient(x), tape::gradient(f, x)); // log(x) of a negative x reaches nothing
        const auto h = r.hessian(x).hessian, expected = tape::hessian(f, x).hessian;
        for (std::size_t i = 0; i < 2; ++i) same(h[i], expected[i]);
    }
    const auto kink = [](const auto& x) { return abs(x[0]) + x[1] * relu(x[0]) + fmin(x[0], 0.0 * x[1]); };
    auto k = tape::record(kink, std::array{1.0, 1.0});
    CHECK(k.gradient(std::array{0.0, 1.0}) == tape::gradient(kink, std::array{0.0, 1.0}));
    CHECK(k.gradient(std::array{-2.0, 1.0}) == tape::gradient(kink, std::array{-2.0, 1.0}));
}

TEST_CASE("kernels and custom functions are replayed", "[tape]") {
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto kernel = cr::function(log(a) + a * b - sin(b), cr::wrt(a, b));
    const auto f = [&](const auto& x) {
        std::remove_cvref_t<decltype(x[0])> by_name = (exp(a) * b)(a = x[0], b = x[1]);
        return kernel(x[0], x[1]) * outside::gelu(x[1]) + by_name;
    };
    auto r = tape::record(f, std::array{2.0, 5.0});
    const std::array x{3.0, 0.5};
    CHECK(r(x) == f(x));
    same(r.gradient(x), tape::gradient(f, x));
    const auto g = r.gradient(rows_of(5, 2, 1.0));
    for (std::size_t i = 0; i < 5; ++i) same(g.row(i), tape::gradient(f, rows_of(5, 2, 1.0).row(i)));
    const auto powers = [](const auto& y) { return pow(y, 2) + pow(y, 3) * pow(y, -5) + pow(2.0, y) + pow(y, 1.5); };
    auto p = tape::record(powers, 2.0);
    CHECK(p.gradient(3.0)[0] == Approx(tape::gradient(powers, 3.0)[0]));
}

TEST_CASE("a sweep that a custom function's derivative ends leaves nothing to the next", "[tape]") {
    auto r =
        tape::record([](const auto& x) { return guarded(exp(x[0])) * x[1] + sin(x[0] * x[1]); }, std::array{0.5, 2.0});
    const std::array good{0.25, 3.0}, bad{2.0, 3.0};
    const auto expected = r.gradient(good);
    CHECK_THROWS_AS(r.gradient(bad), std::domain_error);
    CHECK(r.gradient(good) == expected);
    CHECK_THROWS_AS(r.hessian(bad), std::domain_error);
    CHECK(r.hessian(good).gradient == expected);
}

TEST_CASE("a recording computes what its results need, once", "[tape]") {
    auto r = tape::record(
        [](const auto& x) {
            auto unused = exp(x[0]);
            unused *= 2.0;
            return x[0] * x[1] + x[0] * x[1] / 1.0;
        },
        std::array{2.0, 3.0});
    CHECK(r.operations() == 2);
    CHECK(r.gradient(std::array{5.0, 7.0}) == std::array{14.0, 10.0});
    auto constant = tape::record([](const auto& x) { return x - x == x - x ? 4.0 + 0.0 * 2.0 : 1.0; }, 2.0);
    CHECK(constant(3.0) == 4.0);
    CHECK(constant.gradient(3.0)[0] == 0.0);
    // One constant, however often it occurs, NaN as well.
    for (const double c : {0.5, std::numeric_limits<double>::quiet_NaN()}) {
        const auto often = tape::record(
            [c](const auto& x) {
                auto sum = x * c;
                for (int i = 0; i < 20; ++i) sum += x * c;
                return sum;
            },
            2.0);
        CHECK(often.operations() == 21);
    }
    auto same_number = tape::record([](const auto& x) { return std::vector{x, x}; }, 2.0);
    CHECK(same_number(3.0) == std::vector{3.0, 3.0});
    CHECK(same_number.vjp(std::array{3.0}, std::vector{1.0, 10.0})[0] == 11.0);
}

TEST_CASE("copies of a recording are used by several threads", "[tape]") {
    const auto f = [](const auto& x) { return x[0] * exp(x[1]) / (1.0 + x[0]); };
    const auto r = tape::record(f, std::array{0.5, 1.0});
    std::vector<std::array<double, 2>> found(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < found.size(); ++i)
        threads.emplace_back([&found, i, mine = r]() mutable {
            for (int k = 0; k < 50; ++k) found[i] = mine.gradient(std::array{1.0 + static_cast<double>(i), 0.5});
        });
    for (std::thread& t : threads) t.join();
    for (std::size_t i = 0; i < found.size(); ++i)
        same(found[i], tape::gradient(f, std::array{1.0 + static_cast<double>(i), 0.5}));
}

TEST_CASE("numbers of a recording are of no use outside it", "[tape]") {
    std::optional<tape::replayable<double>> escaped;
    const auto f = [&](const auto& x) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(x)>, tape::replayable<double>>) escaped = x;
        return x * x;
    };
    (void)tape::record(f, 2.0);
    const std::string sentence = "record: a number is used outside the recording that made it; use numbers of a "
                                 "recorded function within the function only";
    CHECK(sentence_of([&] { (void)(*escaped + 1.0); }) == sentence);
    CHECK(sentence_of([&] { (void)tape::record([&](const auto& x) { return x * *escaped; }, 1.0); }) == sentence);
    // A recording within another one, which goes on afterwards.
    const auto nested = [](const auto& x) {
        auto inner = tape::record([](const auto& y) { return y * y; }, 3.0);
        return x * inner.gradient(4.0)[0];
    };
    CHECK(tape::record(nested, 1.0)(2.0) == 16.0);
    // A function that throws leaves nothing behind.
    CHECK_THROWS_AS(tape::record([](const auto& x) -> decltype(x * x) { throw std::runtime_error("no"); }, 1.0),
                    std::runtime_error);
    CHECK(tape::record(nested, 1.0)(2.0) == 16.0);
}

TEST_CASE("zeros of steps and untaken arms stay zero in front of an infinite derivative", "[tape]") {
    const auto check = [](auto f, double a, double b) {
        const auto g = [f](const auto& x) { return sqrt(f(x[0], x[1])); };
        auto r = tape::record(g, std::array{1.0, 2.0});
        const std::array at{a, b};
        const auto expected = tape::gradient(g, at), found = r.gradient(at);
        for (std::size_t i = 0; i < 2; ++i) {
            INFO("argument " << i << " at " << a << ", " << b << ": " << found[i] << ", expected " << expected[i]);
            CHECK((found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]))));
        }
        tape::matrix<double> points(3, 2);
        for (std::size_t p = 0; p < 3; ++p) {
            points(p, 0) = a;
            points(p, 1) = b;
        }
        const auto in_lanes = r.gradient(points);
        for (std::size_t i = 0; i < 2; ++i) {
            const double lane = in_lanes(2, i);
            CHECK((lane == expected[i] || (std::isnan(lane) && std::isnan(expected[i]))));
        }
    };
    check([](const auto& x, const auto& y) { return relu(x) + 0.0 * y; }, -1.0, 3.0);
    check([](const auto& x, const auto& y) { return max(x, y); }, 0.0, -1.0);
    check([](const auto& x, const auto& y) { return fdim(x, y); }, 0.0, 1.0);
    check([](const auto& x, const auto& y) { return hypot(x, y); }, 0.0, 0.0);
    check([](const auto& x, const auto& y) { return floor(x) * y; }, 0.5, 1.0);
    check([](const auto& x, const auto& y) { return x * y; }, 0.0, 0.0); // a zero from arithmetic
    check([](const auto& x, const auto& y) { return select(x < y, x - x, y); }, 0.0, 1.0);
}

TEST_CASE("kernels with conditions are recorded with both arms", "[tape]") {
    const auto check = [](const auto& kernel) {
        const auto f = [&](const auto& x) { return 2.0 * kernel(x[0], x[1]); };
        auto r = tape::record(f, std::array{0.7, 0.4});
        for (const auto& at :
             {std::array{0.7, 0.4}, std::array{0.2, 0.4}, std::array{0.3, -0.5}, std::array{-0.3, -2.0}}) {
            CHECK(r(at) == Approx(2 * kernel(at[0], at[1])));
            const auto gradient = kernel.gradient(at[0], at[1]);
            same(r.gradient(at), std::array{2 * gradient[0], 2 * gradient[1]});
        }
    };
    check(cr::function([](auto x, auto y) { return select(x > y, x - y, y * y - x); }));
    check(cr::function([](auto x, auto y) { return select(x > y && y > 0.0, x - y, sin(y) * x); }));
    check(cr::function([](auto x, auto y) { return select(x < y || !(y > -1.0), exp(x), y * x); }));
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    check(cr::function(piecewise(x > y, x * x, y < -1.0, y * x, x + y), cr::wrt(x, y)));
}
