// SPDX-License-Identifier: BSL-1.0
//
// Traced functions: several outputs, custom functions, constants of every kind, text, and what solvers derive.
#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/text.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

TEST_CASE("several outputs") {
    constexpr auto J = cr::function([](auto u, auto v) { return std::array{u * v, sin(u), 2.0 * v}; }, cr::wrt(x, y));
    constexpr auto K = cr::function(cr::vector(x * y, sin(x), 2_c * y), cr::wrt(x, y));
    const std::array at{0.3, 0.8};
    CHECK(J(at) == K(at));
    CHECK(J.jacobian(at) == K.jacobian(at));
    CHECK(J.value_and_jacobian(at).jacobian == K.value_and_jacobian(at).jacobian);
    CHECK(J.jvp(at, at) == K.jvp(at, at));
    CHECK(J.vjp(at, std::array{1.0, 2.0, 3.0}) == K.vjp(at, std::array{1.0, 2.0, 3.0}));
    CHECK(J.sparse_jacobian(at) == K.sparse_jacobian(at));
    CHECK(J.jacobian_sparsity() == K.jacobian_sparsity());
    CHECK(J.lagrangian_hessian(at, std::array{1.0, 2.0, 3.0}) == K.lagrangian_hessian(at, std::array{1.0, 2.0, 3.0}));
    CHECK(cr::jacobian_mode_of(J) == cr::jacobian_mode_of(K));
    CHECK(J(y = 0.8, x = 0.3) == K(at));
}

struct cubic : cr::custom_function<cubic, 1> {
    static constexpr char name[] = "cubic";
    template <class T>
    static constexpr T value(const T& u) {
        return u * u * u - u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return 3 * u * u - 1;
    }
};

TEST_CASE("custom functions") {
    constexpr auto H = cr::function([](auto u) { return cubic{}(2.0 * u) * u; });
    CHECK(H(1.5) == (27.0 - 3.0) * 1.5);
    CHECK(H.gradient(1.5)[0] == 24.0 + 2 * 26.0 * 1.5);
    CHECK(std::string(cr::program_text<cr::request::values>(H).c_str()) == "t1 = 2 * x0\nt2 = cubic(t1)\nf = t2 * x0");
}

TEST_CASE("infinities, NaNs and the least numbers are constants") {
    constexpr auto least = cr::function([](auto u, auto v) {
        using T = decltype(u);
        T best = std::numeric_limits<T>::infinity();
        for (const T& candidate : {u, v * v}) best = min(best, candidate);
        return best + std::numeric_limits<T>::denorm_min();
    });
    CHECK(least(3.0, 2.0) == 3.0);
    CHECK(least.gradient(5.0, 2.0)[1] == 4.0);
    constexpr auto undefined =
        cr::function([](auto u) { return select(u > 0, u, std::numeric_limits<decltype(u)>::quiet_NaN()); });
    CHECK(undefined(2.0) == 2.0);
    CHECK(std::isnan(undefined(-2.0)));
}

TEST_CASE("texts") {
    constexpr auto P = cr::function([](auto u, auto c) { return exp(-c * u) + 0.5; }, cr::wrt(x), cr::given(k = 0.5));
    CHECK(std::string(cr::program_text<cr::request::values>(P).c_str()) ==
          "t1 = -k\nt2 = t1 * x\nt3 = exp(t2)\nf = t3 + 0.5");
    CHECK(std::string(cr::to_c<"f">(P).c_str()).find("exp(") != std::string::npos);
    CHECK(std::string(cr::to_graphviz(P).c_str()).find("exp") != std::string::npos);
    CHECK(std::string(cr::to_latex(cr::function([](auto u) { return sqrt(u) / 2; })(x)).c_str()) ==
          "\\frac{\\sqrt{x}}{2}");
    CHECK(cr::operation_count<cr::request::values>(P).calls == 1);
}

TEST_CASE("Newton's method and implicit derivatives") {
    constexpr auto circle = cr::function([](auto u, auto v) { return u * u + v * v - 25.0; }, cr::wrt(x, y));
    CHECK(cr::implicit_derivative(circle(x, y), y, x)(x = 3.0, y = 4.0) == -0.75);
}

} // namespace
