// SPDX-License-Identifier: BSL-1.0
//
// Points in parts: numbers and ranges for the variables and vectors of variables of a function.
#include "catch.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto q = cr::variables<"q", 3>;
constexpr auto t = cr::variable<"t">;
constexpr auto p = cr::variables<"p", 2>;
constexpr auto k = cr::variable<"k">;
constexpr auto f = dot(q, q) * exp(t) + k * q[0_c] * p[1_c] / p[0_c];
constexpr auto F = cr::function(f, cr::wrt(q, t, p), cr::given(k = 3.0));
constexpr std::array<double, 6> flat = {1.0, 2.0, 3.0, 0.5, 4.0, 5.0};

/// All members, at a point in parts and at the flat point.
template <class... Part>
void check_as_flat(const Part&... parts) {
    CHECK(F(parts...) == F(flat));
    CHECK(F.gradient(parts...) == F.gradient(flat));
    CHECK(F.value_and_gradient(parts...).gradient == F.value_and_gradient(flat).gradient);
    CHECK(F.hessian(parts...) == F.hessian(flat));
    CHECK(F.value_gradient_and_hessian(parts...).hessian == F.hessian(flat));
    CHECK(F.sparse_hessian(parts...) == F.sparse_hessian(flat));
    CHECK(F.third_derivatives(parts...) == F.third_derivatives(flat));
}

} // namespace

TEST_CASE("a point in parts is the flat point", "[points]") {
    const std::array<double, 3> a = {1.0, 2.0, 3.0};
    const std::vector<double> b = {4.0, 5.0};
    check_as_flat(a, 0.5, b);
    check_as_flat(a, 0.5, 4.0, 5.0);
    check_as_flat(1.0, 2.0, 3.0, 0.5, b);
    check_as_flat(std::deque<double>{1.0, 2.0, 3.0}, 0.5f, std::span(b));
    check_as_flat(std::vector{1.0f, 2.0f, 3.0f}, std::array{0.5}, std::array{4, 5});
    // One part for neighbours that no vector holds together, and for two whole vectors.
    check_as_flat(std::array{1.0, 2.0, 3.0, 0.5}, b);
    check_as_flat(a, std::array{0.5, 4.0, 5.0});

    constexpr auto G = cr::function(cr::vector(f, t * p[0_c]), cr::wrt(q, t, p), cr::given(k = 3.0));
    CHECK(G(a, 0.5, b) == G(flat));
    CHECK(G.jacobian(a, 0.5, b) == G.jacobian(flat));
    CHECK(G.value_and_jacobian(a, 0.5, b).jacobian == G.jacobian(flat));
    CHECK(G.sparse_jacobian(a, 0.5, b) == G.sparse_jacobian(flat));
}

TEST_CASE("long vectors of variables are parts", "[points]") {
    constexpr auto v = cr::variables<"v", 100>;
    constexpr auto G = cr::function(dot(v, v) * t, cr::wrt(v, t));
    std::vector<double> numbers(100);
    for (std::size_t i = 0; i < 100; ++i) numbers[i] = 0.01 * static_cast<double>(i);
    const auto gradient = G.gradient(numbers, 2.0);
    for (std::size_t i = 0; i < 100; ++i) CHECK(gradient[i] == 4.0 * numbers[i]);
}

TEST_CASE("parts may be numbers of the other modes", "[points]") {
    const std::array<double, 3> a = {1.0, 2.0, 3.0};
    const auto gradient = F.gradient(flat);

    const auto by_tape = cr::tape::gradient([&](const auto& x) { return F(a, x[0], std::array{x[1], x[2]}); },
                                            std::vector{0.5, 4.0, 5.0});
    for (std::size_t i = 0; i < 3; ++i) CHECK(by_tape[i] == Approx(gradient[3 + i]));

    cr::dual<double> moving = 0.5;
    moving.tangents[0] = 1.0;
    CHECK(F(a, moving, std::array{4.0, 5.0}).tangents[0] == Approx(gradient[3]));
}

TEST_CASE("the point of a sum over data may be in parts", "[points]") {
    const std::vector<double> data = {0.5, 1.5};
    const auto S = cr::sum(f, cr::over(k = data), cr::wrt(q, t, p));
    const std::array<double, 3> a = {1.0, 2.0, 3.0};
    CHECK(S(a, 0.5, std::vector{4.0, 5.0}) == S(flat));
    CHECK(S.gradient(a, 0.5, std::vector{4.0, 5.0}) == S.gradient(flat));
}

TEST_CASE("parts of the wrong size are refused", "[points]") {
    const auto sentence = [](const auto&... parts) {
        try {
            (void)F.gradient(parts...);
        } catch (const cr::wrong_size& refused) {
            return std::string(refused.what());
        }
        return std::string();
    };
    constexpr auto expected =
        "function: an argument does not have one number per variable of its vector; pass that many";
    const std::vector<double> two = {4.0, 5.0}, three = {1.0, 2.0, 3.0};
    CHECK(sentence(three, 0.5, two).empty());
    CHECK(sentence(two, 0.5, two) == expected);
    CHECK(sentence(three, 0.5, three) == expected);
    CHECK(sentence(three, 0.5, std::vector<double>{}) == expected);
    CHECK(sentence(std::deque<double>{1.0}, 0.5, two) == expected);
    CHECK(sentence(three, two, two) == expected);
}

TEST_CASE("the names of vectors and of variables may have brackets", "[points]") {
    const std::array<double, 3> a = {1.0, 2.0, 3.0};
    constexpr auto of_vector = cr::wrt(cr::variables<"w[a]", 3>, t);
    constexpr auto traced = cr::function([](const auto& w, auto s) { return w[0] * w[1] * s + w[2]; }, of_vector);
    CHECK(traced(a, 2.0) == 7.0);
    constexpr auto w = cr::variables<"w[a]", 3>;
    CHECK(cr::function(w[0_c] * w[1_c] * t + w[2_c], of_vector)(a, 2.0) == 7.0);
    // Numbers that stand in the middle of names make no vector.
    constexpr auto x0 = cr::variable<"p[0].x">;
    constexpr auto y0 = cr::variable<"p[0].y">;
    constexpr auto x1 = cr::variable<"p[1].x">;
    constexpr auto big = cr::variable<"t[99999999999]">;
    constexpr auto G = cr::function(x0 + 10_c * y0 + 100_c * x1 * big, cr::wrt(x0, y0, x1, big));
    CHECK(G(std::array{1.0, 2.0}, 3.0, 1.0) == 321.0);
    constexpr auto H = cr::function([](auto u, auto v) { return u - v; }, cr::wrt(x0, big));
    CHECK(H(3.0, 1.0) == 2.0);
}
