// SPDX-License-Identifier: BSL-1.0
//
// Points and results of the positional form: numbers, ranges in one piece and in several; parameters; several threads.
#include "catch.hpp"

// As in CMake's Release: the sizes of ranges are checked all the same.
#undef NDEBUG
#define NDEBUG

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <deque>
#include <forward_list>
#include <initializer_list>
#include <list>
#include <ranges>
#include <span>
#include <string>
#include <thread>
#include <valarray>
#include <vector>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto f = log(x) + x * y - sin(y);
constexpr auto F = cr::function(f, cr::wrt(x, y));

Approx near(double v) { return Approx(v).epsilon(1e-15); }

template <class... Point>
void check_at_2_5(const Point&... point) {
    CHECK(F(point...) == near(11.652071455223084));
    CHECK(F.gradient(point...)[0] == 5.5);
    CHECK(F.gradient(point...)[1] == near(1.7163378145367738));
    const auto [value, gradient] = F.value_and_gradient(point...);
    CHECK(value == near(11.652071455223084));
    CHECK(gradient[0] == 5.5);
    CHECK(F.hessian(point...)[0][0] == -0.25);
    CHECK(F.hessian(point...)[0][1] == 1);
    CHECK(F.hessian(point...)[1][0] == 1);
    CHECK(F.hessian(point...)[1][1] == near(std::sin(5.0)));
    const auto [v, g, h] = F.value_gradient_and_hessian(point...);
    CHECK(v == value);
    CHECK(g == gradient);
    CHECK(h == F.hessian(point...));
}

} // namespace

TEST_CASE("a point is numbers or a contiguous range", "[points]") {
    check_at_2_5(2.0, 5.0);
    check_at_2_5(2, 5);
    check_at_2_5(2.0, 5);
    std::array array{2.0, 5.0};
    check_at_2_5(array);
    const std::array constant{2.0, 5.0};
    check_at_2_5(constant);
    check_at_2_5(std::span(array));
    check_at_2_5(std::span<const double, 2>(array));
    check_at_2_5(std::span<const double>(array));
    check_at_2_5(std::vector{2.0, 5.0});
    check_at_2_5(std::array{2, 5});

    const std::vector column{9.0, 2.0, 5.0, 9.0};
    check_at_2_5(std::span(column).subspan(1, 2));
}

TEST_CASE("a point is a range of any kind", "[points]") {
    const double array[] = {2.0, 5.0};
    check_at_2_5(array);
    check_at_2_5(std::initializer_list<double>{2.0, 5.0});
    check_at_2_5(std::valarray{2.0, 5.0});
    const std::valarray column{9.0, 2.0, 9.0, 5.0, 9.0};
    check_at_2_5(std::valarray<double>(column[std::slice(1, 2, 2)]));
    check_at_2_5(std::list{2.0, 5.0});
    check_at_2_5(std::forward_list{2.0, 5.0});
    const std::vector backwards{5.0, 2.0};
    check_at_2_5(backwards | std::views::reverse);
    check_at_2_5(std::views::iota(1, 3) | std::views::transform([](int i) { return 3 * i - 1; }));
    std::deque<double> deque(70, 5.0); // in several pieces
    deque.push_front(2.0);
    deque.resize(2);
    check_at_2_5(deque);
    std::deque<double> pieces;
    for (int i = 0; i < 65; ++i) pieces.push_back(i);
    const auto sum = cr::function(dot(cr::variables<"q", 65>, cr::variables<"q", 65>), cr::wrt(cr::variables<"q", 65>));
    CHECK(sum(pieces) == 64.0 * 65 * 129 / 6);

    CHECK(F(std::vector{true, false}) == 0);
    static_assert(std::same_as<decltype(F(std::vector<bool>())), double>);
    static_assert(F(std::initializer_list<int>{1, 0}) == 0);
}

TEST_CASE("directions and weights are ranges of any kind", "[points]") {
    constexpr auto G = cr::function(cr::vector(x * y, x * x, y * y * x), cr::wrt(x, y));
    const std::array point{2.0, 5.0}, direction{1.0, -3.0};
    const std::array weights{1.0, 2.0, -1.0};
    const double c_direction[] = {1.0, -3.0};
    CHECK(G.jvp(point, c_direction) == G.jvp(point, direction));
    CHECK(G.jvp(std::list{2, 5}, std::valarray{1.0, -3.0}) == G.jvp(point, direction));
    CHECK(G.vjp(std::deque{2.0, 5.0}, std::list{1.0, 2.0, -1.0}) == G.vjp(point, weights));
    CHECK(G.lagrangian_hessian(point, weights | std::views::transform([](double w) { return w; })) ==
          G.lagrangian_hessian(point, weights));
    CHECK(F.hvp(point, std::list{1.0, -3.0}) == F.hvp(point, direction));
    CHECK(F.vjp(point, std::list{2.0}) == F.vjp(point, 2.0));
    CHECK(G.taylor<2>(std::list{2.0, 5.0}, direction) == G.taylor<2>(point, direction));
    // Of one variable a number is a point and a direction.
    constexpr auto square = cr::function(x * x, cr::wrt(x));
    static_assert(square.jvp(3.0, 2.0) == 12.0 && square.hvp(3.0, 2.0)[0] == 4.0);
}

TEST_CASE("a range of the wrong size is refused", "[points]") {
    constexpr auto G = cr::function(cr::vector(x * y, x * x, y), cr::wrt(x, y));
    const std::array point{2.0, 5.0};
    for (const std::size_t size : {0u, 1u, 3u}) {
        const std::vector<double> numbers(size, 1.0);
        CHECK_THROWS_AS(F(numbers), cr::wrong_size);
        CHECK_THROWS_AS(F.value_and_gradient(std::span(numbers)), cr::wrong_size);
        CHECK_THROWS_AS(F(std::valarray<double>(1.0, size)), cr::wrong_size);
        CHECK_THROWS_AS(F(std::list<double>(size)), cr::wrong_size);
        CHECK_THROWS_AS(F(std::forward_list<double>(size)), cr::wrong_size);
        CHECK_THROWS_AS(F.jvp(point, numbers), cr::wrong_size);
        CHECK_THROWS_AS(F.hvp(numbers, point), cr::wrong_size);
        CHECK_THROWS_AS(F.vjp(point, std::vector<double>(size + 2)), cr::wrong_size);
    }
    CHECK_THROWS_AS(G.vjp(point, std::vector<double>(2)), cr::wrong_size);
    CHECK_THROWS_AS(G.lagrangian_hessian(point, std::list<double>(4)), cr::wrong_size);
    try {
        (void)F(std::vector<double>(3));
    } catch (const std::exception& e) {
        CHECK(std::string(e.what()) ==
              "function: the point does not have one number per variable in wrt(...); pass that many");
    }
}

TEST_CASE("results have the type of the point", "[points]") {
    static_assert(std::same_as<decltype(F(std::array{2.0F, 5.0F})), float>);
    static_assert(std::same_as<decltype(F.gradient(std::span<const long double>())), std::array<long double, 2>>);
    static_assert(std::same_as<decltype(F.hessian(2.0F, 5.0F)), std::array<std::array<float, 2>, 2>>);
    CHECK(F.gradient(2.0F, 5.0F)[1] == Approx(1.7163378).epsilon(1e-6));
    CHECK(F(2.0F, 5.0F) == std::log(2.0F) + 2.0F * 5.0F - std::sin(5.0F));
    CHECK(F(2.0L, 5.0L) == std::log(2.0L) + 2.0L * 5.0L - std::sin(5.0L));
    CHECK(std::abs(F.gradient(2.0L, 5.0L)[1] - (2.0L - std::cos(5.0L))) == 0);
}

TEST_CASE("a volatile number is a number", "[points]") {
    const volatile double at = 0.5;
    volatile float narrow = 0.5F;
    constexpr auto of_one = cr::function(sin(x) + cos(x), cr::wrt(x));
    static_assert(std::is_same_v<decltype(of_one(narrow)), float>);
    CHECK(of_one(at) == of_one(0.5));
    CHECK(of_one.gradient(at) == of_one.gradient(0.5));
    CHECK((sin(x) * cos(x))(x = at) == std::sin(0.5) * std::cos(0.5));
    CHECK(of_one(narrow) == of_one(0.5F));
}

TEST_CASE("vectors of expressions", "[points]") {
    constexpr auto G = cr::function(cr::vector(x * y, sin(x), 2.0 * y, 3_c), cr::wrt(y, x));
    const std::array at{5.0, 2.0};
    CHECK(G(at) == std::array{10.0, std::sin(2.0), 10.0, 3.0});
    const auto [values, jacobian] = G.value_and_jacobian(at);
    CHECK(values == G(at));
    CHECK(jacobian == G.jacobian(5.0, 2.0));
    CHECK(jacobian[0] == std::array{2.0, 5.0});
    CHECK(jacobian[1] == std::array{0.0, std::cos(2.0)});
    CHECK(jacobian[2] == std::array{2.0, 0.0});
    CHECK(jacobian[3] == std::array{0.0, 0.0});
}

TEST_CASE("parameters are bound once and can be set", "[points]") {
    auto P = cr::function(exp(-k * x) * (k + y), cr::wrt(x, y), cr::given(k = 0.3));
    CHECK(P(1.0, 2.0) == std::exp(-0.3 * 1.0) * (0.3 + 2.0));
    CHECK(P.gradient(1.0, 2.0)[1] == std::exp(-0.3));
    P.set(k = 0.4);
    CHECK(P(1.0, 2.0) == std::exp(-0.4 * 1.0) * (0.4 + 2.0));
    CHECK(P.gradient(std::array{1.0, 2.0})[1] == std::exp(-0.4));
    const auto copy = P;
    P.set(k = 0);
    CHECK(P(1.0, 2.0) == 2.0);
    CHECK(copy(1.0, 2.0) == std::exp(-0.4 * 1.0) * (0.4 + 2.0));
}

TEST_CASE("a parameter that is bound to an integer is a number like any other", "[points]") {
    auto P = cr::function(k * x, cr::wrt(x), cr::given(k = 0));
    static_assert(std::same_as<decltype(P(3)), double>);
    static_assert(std::same_as<decltype(P(3.0L)), long double>);
    CHECK(P(3.0) == 0);
    P.set(k = 0.5);
    CHECK(P(3.0) == 1.5);
    CHECK(P.gradient(3)[0] == 0.5);
    P.set(k = true);
    CHECK(P(3.0) == 3);
    P.set(k = 0.25f);
    CHECK(P(3.0L) == 0.75L);

    const auto Q = cr::function(k * x + y, cr::wrt(x), cr::given(k = 0, y = 1LL << 60));
    CHECK(Q(x = 3, k = 0.5) == 0x1p60 + 1.5);
    CHECK(Q(x = 3.0L, k = 0.5) == 0x1p60L + 1.5L);
    CHECK(Q(x = 3) == 0x1p60);

    auto of_bool = cr::function(k * x, cr::wrt(x), cr::given(k = true));
    of_bool.set(k = 0.5);
    CHECK(of_bool(3.0) == 1.5);
    enum { three = 3 };
    auto of_name = cr::function(k * x, cr::wrt(x), cr::given(k = three));
    of_name.set(k = -0.5);
    CHECK(of_name(3.0) == -1.5);

    // An integer with more digits than a double keeps them where the computation has room for them.
    constexpr long long large = (1LL << 53) + 1;
    auto of_large = cr::function(k * x, cr::wrt(x), cr::given(k = large));
    static_assert(std::same_as<decltype(of_large(1.0)), double>);
    CHECK(of_large(1.0) == static_cast<double>(large));
    CHECK(of_large(1.0L) == static_cast<long double>(large));
    of_large.set(k = 0.1);
    CHECK(of_large(1.0) == 0.1);
    of_large.set(k = large);
    CHECK(of_large(1.0L) == static_cast<long double>(large));

    auto of_float = cr::function(k * x, cr::wrt(x), cr::given(k = 0.1f));
    static_assert(std::same_as<decltype(of_float(1.0f)), float>);
    of_float.set(k = short{3});
    CHECK(of_float(2.0f) == 6);
}

TEST_CASE("integers of every kind compute as double", "[points]") {
    enum { three = 3 };
    CHECK((three * x)(x = 0.5) == 1.5);
    CHECK((x * y)(x = three, y = 0.5) == 1.5);
    CHECK((x * y)(x = true, y = 0.5) == 0.5);
    CHECK((x * y)(x = 3ULL, y = 0.5) == 1.5);
    constexpr auto G = cr::function(x * y, cr::wrt(x, y));
    CHECK(G(three, 0.5) == 1.5);
    static_assert(std::same_as<decltype(G(three, 2)), double>);
#if defined(__SIZEOF_INT128__)
    __extension__ typedef __int128 long_integer;
    CHECK((long_integer{3} * x)(x = 0.5) == 1.5);
    CHECK((x * y)(x = long_integer{3}, y = 0.5) == 1.5);
    CHECK(G(long_integer{3}, 0.5) == 1.5);
    auto P = cr::function(k * x, cr::wrt(x), cr::given(k = long_integer{3}));
    P.set(k = 0.5);
    CHECK(P(3.0) == 1.5);
#endif
}

TEST_CASE("expressions own what they hold", "[points]") {
    // Made from temporaries and kept with auto: nothing dangles.
    const auto make = [](double a, double b) {
        const auto inner = a * x + b;
        return inner * inner - sin(inner);
    };
    const auto g = make(2.0, 3.0);
    const auto gradient = cr::gradient(make(2.0, 3.0));
    const auto by_x = cr::derivative(make(2.0, 3.0), x);
    CHECK(g(x = 1.0) == 25.0 - std::sin(5.0));
    CHECK(gradient(x = 1.0)[x] == near(20.0 - 2.0 * std::cos(5.0)));
    CHECK(by_x(x = 1.0) == near(20.0 - 2.0 * std::cos(5.0)));
}

TEST_CASE("threads share a function object", "[points]") {
    static constexpr auto shared = cr::function(exp(-x * y) * sin(x) / (1_c + y * y), cr::wrt(x, y));
    const auto sum = [] {
        double total = 0;
        for (int i = 0; i < 20000; ++i) {
            const auto [value, gradient] = shared.value_and_gradient(0.001 * i, 1.0 + 0.0001 * i);
            total += value + gradient[0] * gradient[1];
        }
        return total;
    };
    const double expected = sum();
    std::array<double, 2> found{};
    {
        std::thread first([&] { found[0] = sum(); }), second([&] { found[1] = sum(); });
        first.join();
        second.join();
    }
    CHECK(found == std::array{expected, expected});
}
