// SPDX-License-Identifier: BSL-1.0
//
// given(a = range): vectors and matrices of parameters, in expressions and in traced code. Each number has an identity,
// so a form of them that occurs in many terms is computed once; that is counted in operations.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <list>
#include <type_traits>
#include <vector>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

} // namespace

TEST_CASE("vectors and matrices of parameters are given ranges of numbers", "[numbers]") {
    constexpr auto k = cr::variable<"k">;
    constexpr auto a = cr::matrix<2>(cr::variables<"a", 4>);
    constexpr auto b = cr::variables<"b", 2>;
    constexpr auto v = cr::vector(x, y);
    constexpr auto f = k * dot(v, a * v) + dot(b, v);
    constexpr auto right = [](const auto& F, double factor) { // at (2, 3), for a = {{1, 2}, {3, 4}}, b = {5, 6}, k = 7
        return F(2.0, 3.0) == factor * (7 * 70 + 28) && F.gradient(2.0, 3.0)[1] == factor * (7 * 34 + 6);
    };
    constexpr std::array<std::array<double, 2>, 2> rows{{{1, 2}, {3, 4}}};
    constexpr auto F = cr::function(f, cr::wrt(x, y), cr::given(k = 7, a = rows, b = std::array{5.0, 6.0}));
    static_assert(right(F, 1));
    auto G = cr::function(f, cr::wrt(x, y), cr::given(a = rows, k = 7.0, b = std::array{5.0, 6.0}));
    CHECK(right(G, 1));
    const double more[2][2] = {{2, 4}, {6, 8}};
    const std::list<double> further{10, 12};
    G.set(b = further, a = more);
    CHECK(right(G, 2));
    G.set(a = std::vector<double>{1, 2, 3, 4}, b = std::vector<float>{5, 6});
    CHECK(right(G, 1));
    CHECK_THROWS_AS(G.set(b = std::vector<double>{1.0}), cr::wrong_size);
    CHECK_THROWS_AS(G.set(b = std::vector<double>(3)), cr::wrong_size);

    // Rows have the length of the matrix's rows.
    constexpr auto m = cr::matrix<3>(cr::variables<"m", 6>);
    const std::array<std::array<double, 3>, 2> wide{{{1, 2, 3}, {4, 5, 6}}};
    auto M = cr::function(m * cr::vector(x, 2_c * x, 3_c * x), cr::wrt(x), cr::given(m = wide));
    CHECK(M(1.0) == std::array{14.0, 32.0});
    CHECK_THROWS_AS(M.set(m = std::array<std::array<double, 2>, 3>{}), cr::wrong_size);
    CHECK_THROWS_AS(M.set(m = std::vector<std::vector<double>>{{1, 2}, {3, 4, 5, 6}}), cr::wrong_size);
    M.set(m = std::vector<double>{1, 0, 0, 0, 1, 0});
    CHECK(M(1.0) == std::array{1.0, 2.0});
    CHECK(right(G, 1));
    const auto single = cr::function(f, cr::wrt(x, y),
                                     cr::given(k = 7.f, a = std::array{1.f, 2.f, 3.f, 4.f}, b = std::array{5.f, 6.f}));
    static_assert(std::is_same_v<decltype(single(2.f, 3.f)), float>);
    CHECK(right(single, 1));
}

namespace {

/// Terms x log(x / (1 - s)) for a form s of the variables, as in the Helmholtz energy of bench/workloads.
constexpr auto energy(auto s) { return x * log(x / (1_c - s)) + y * log(y / (1_c - s)) + x * y / s * log(1_c + s); }

} // namespace

TEST_CASE("a linear form with given numbers is computed once, as in hand-written code", "[numbers]") {
    constexpr auto b = cr::variables<"b", 2>;
    constexpr auto by_hand = cr::function(energy(cr::variable<"s">), cr::wrt(x, y), cr::given(cr::variable<"s"> = 0.2));
    constexpr auto given =
        cr::function(energy(dot(b, cr::vector(x, y))), cr::wrt(x, y), cr::given(b = std::array{0.1, 0.2}));
    constexpr auto numbers = cr::function(energy(0.1 * x + 0.2 * y), cr::wrt(x, y));
    const auto products = [](const cr::operation_counts& n) { return n.multiplications + n.fused; };
    const auto count = [](const auto& F) { return cr::operation_count<cr::request::values>(F); };
    CHECK(products(count(given)) == products(count(by_hand)) + 2);
    CHECK(products(count(numbers)) == products(count(by_hand)) + 8);
    // The gradient, too: the form's derivatives are the two numbers.
    CHECK(cr::operation_count(given).total <= cr::operation_count(numbers).total);
}

TEST_CASE("traced code takes vectors of parameters as arrays", "[numbers]") {
    constexpr auto k = cr::variable<"k">;
    constexpr auto a = cr::variables<"a", 9>;
    const auto form = [](const auto& v, const auto& factor, const auto& m) {
        auto sum = 0.0 * v[0];
        for (std::size_t i = 0; i < 3; ++i) {
            auto row = m[3 * i] * v[0];
            for (std::size_t j = 1; j < 3; ++j) row += m[3 * i + j] * v[j];
            sum += v[i] * row;
        }
        return factor * sum;
    };
    const std::array<std::array<double, 3>, 3> rows{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
    const std::array at{1.0, 2.0, -1.0};
    auto F = cr::function<3>(form, cr::given(k = 2.0, a = rows));
    CHECK(F(at) == 2 * (1 * 2 + 2 * 8 - 1 * 14));
    CHECK(F.gradient(at) == std::array{2.0 * (2 + 2), 2.0 * (8 + 4), 2.0 * (14 + 6)});
    // The same with names.
    constexpr auto v = cr::variables<"v", 3>;
    CHECK(cr::function<3>(form, cr::wrt(v), cr::given(k = 2.0, a = rows))(at) == F(at));
    CHECK(cr::function(form, cr::wrt(v), cr::given(k = 2.0, a = rows))(at) == F(at));
    F.set(k = 1.0, a = std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    CHECK(F(at) == 6);
    // A captured array.
    const std::array<double, 3> w{1, 2, 3};
    auto G = cr::function<3>(
        [w](const auto& q) {
            auto sum = w[0] * q[0];
            for (std::size_t i = 1; i < 3; ++i) sum += w[i] * q[i];
            return exp(sum) * sum;
        },
        cr::members(cr::variables<"w", 3>));
    CHECK(G(1.0, 1.0, -1.0) == 0);
    G.set(cr::variables<"w", 3> = std::array{0.0, 1.0, 1.0});
    CHECK(G.gradient(1.0, 1.0, -1.0) == std::array{0.0, 1.0, 1.0});
}

TEST_CASE("calls by name give vectors and matrices of variables ranges of numbers", "[numbers]") {
    constexpr auto k = cr::variable<"k">;
    constexpr auto v = cr::variables<"v", 2>;
    constexpr auto m = cr::matrix<2>(cr::variables<"m", 4>);
    constexpr auto f = k * v[0_c] * v[1_c] * v[1_c];
    constexpr auto F = cr::function(f, cr::wrt(v, k));
    static_assert(F(v = {1.0, 2.0}, k = 3.0) == 12);
    static_assert(F(k = 3, v = {1, 2.0}) == 12);
    static_assert(std::is_same_v<decltype(F(v = {1.f, 2.f}, k = 3.f)), float>);
    static_assert(F.gradient(v = std::array{1.0, 2.0}, k = 3.0) == std::array{12.0, 12.0, 4.0});
    static_assert(f(k = 3, v = {1.0, 2.0}) == 12);
    static_assert(cr::vector(f, k)(k = 3, v = {1.0, 2.0}) == std::array{12.0, 3.0});
    static_assert((m * v)(v = {1, 2}, m = {{1.0, 2.0}, {3, 4}}) == std::array{5.0, 11.0});
    static_assert(cr::gradient(f)(k = 3, v = {1.0, 2.0})[k] == 4);
    static_assert(cr::value_and_gradient(f)(k = 3, v = {1.0, 2.0}).value == 12);
    static_assert(cr::hessian(f)(k = 3, v = {1.0, 2.0})(k, v[0_c]) == 4);
    static_assert(cr::jacobian(cr::vector(f, k))(k = 3, v = {1.0, 2.0})[0][k] == 4);
    // Parameters, and a value for one call.
    constexpr auto G = cr::function(f, cr::wrt(k), cr::given(v = {1.0, 2.0}));
    static_assert(G(3.0) == 12 && G(k = 3.0, v = {2.0, 1.0}) == 6);
    auto M = cr::function(m * v, cr::wrt(v), cr::given(m = {{1.0, 2.0}, {3.0, 4.0}}));
    M.set(m = {{4, 3}, {2, 1}});
    CHECK(M(v = {1.0, 2.0}) == std::array{10.0, 4.0});
    // Ranges whose size is known only at run time.
    const std::vector<double> two{1, 2}, three{1, 2, 3};
    const std::list<float> listed{1, 2};
    CHECK(F(v = two, k = 3.0) == 12);
    CHECK(f(v = listed, k = 3.0) == 12);
    CHECK_THROWS_AS(F.gradient(v = three, k = 3.0), cr::wrong_size);
    CHECK_THROWS_AS(f(v = three, k = 3.0), cr::wrong_size);
    CHECK_THROWS_AS(M(v = two, m = std::vector<std::vector<double>>{{1.0}, {2.0, 3.0, 4.0}}), cr::wrong_size);
}
