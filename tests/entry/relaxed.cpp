// SPDX-License-Identifier: BSL-1.0
//
// Relaxed values at run time: arms that are not taken, parameters, stored numbers, other types of numbers, every
// request.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "catch.hpp"

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto wrt = cr::wrt(x, y);

/// Compares all that two functions of two variables compute.
template <class F, class G>
void check_same(const F& f, const G& g, double a, double b) {
    const auto near = [](double u, double v) { CHECK(u == Approx(v).epsilon(1e-13).margin(1e-13)); };
    const std::array<double, 2> at = {a, b}, along = {0.75, -1.25};
    const auto p = f.value_gradient_and_hessian(at), q = g.value_gradient_and_hessian(at);
    near(p.value, q.value);
    near(f.hvp(at, along)[0], g.hvp(at, along)[0]);
    near(f.jvp(at, along), g.jvp(at, along));
    const auto s = f.template taylor<3>(at, along), t = g.template taylor<3>(at, along);
    for (std::size_t i = 0; i < 4; ++i) near(s[i], t[i]);
    const auto u = f.third_derivatives(at), v = g.third_derivatives(at);
    for (std::size_t i = 0; i < 2; ++i) {
        near(p.gradient[i], q.gradient[i]);
        near(f.gradient(at)[i], g.gradient(at)[i]);
        for (std::size_t j = 0; j < 2; ++j) {
            near(p.hessian[i][j], q.hessian[i][j]);
            for (std::size_t l = 0; l < 2; ++l) near(u[i][j][l], v[i][j][l]);
        }
    }
}

} // namespace

TEST_CASE("relaxed functions compute what the functions as written compute") {
    constexpr auto mean = x * y / (x + y);
    check_same(cr::function(mean, wrt), cr::function(mean, wrt, cr::relaxed()), 1.5, 2.25);
    constexpr auto wave = exp(-x * y / 3_c) * sin(x / y) / (x + 2_c * y) + pow(x, 3_c) / y - sqrt(x + y) / (x + y);
    check_same(cr::function(wave, wrt), cr::function(wave, wrt, cr::relaxed()), 0.75, 1.25);
    constexpr auto marked = cr::relaxed(x / y + y / x) * cr::relaxed(x * x * y) / y + exp(cr::relaxed(x / y));
    constexpr auto plain = (x / y + y / x) * (x * x * y) / y + exp(x / y);
    check_same(cr::function(plain, wrt), cr::function(marked, wrt), 0.75, 1.25);
}

TEST_CASE("an arm that is not taken leaks into no relaxed value") {
    constexpr auto f = select(y > 0_c, x / y + sqrt(y), x * x) / (x + 2_c) + select(y > 0_c, log(y), x) / (x + 2_c);
    constexpr auto F = cr::function(f, wrt, cr::relaxed());
    const auto [value, gradient] = F.value_and_gradient(3.0, 0.0);
    CHECK(value == Approx(12.0 / 5));
    CHECK(gradient[0] == Approx(7.0 / 5 - 12.0 / 25));
    CHECK(gradient[1] == 0);
    check_same(cr::function(f, wrt), F, 3.0, -1.0);
    check_same(cr::function(f, wrt), F, 3.0, 2.0);
}

TEST_CASE("parameters and stored numbers are relaxed, and different stored numbers stay different") {
    auto F = cr::function(x / k + y / k, wrt, cr::given(k = 4.0), cr::relaxed());
    CHECK(F(1.0, 2.0) == 0.75);
    F.set(k = 2.0);
    CHECK(F(1.0, 2.0) == 1.5);
    const auto G = cr::function(2.0 * x / y + 3.0 * x / y, wrt, cr::relaxed());
    CHECK(G(4.0, 5.0) == Approx(4.0));
    CHECK(G.gradient(4.0, 5.0)[0] == Approx(1.0));
}

TEST_CASE("relaxed is the identity for numbers") {
    const auto code = [](auto u, auto v) {
        using cr::relaxed;
        return relaxed(u / v) * v;
    };
    CHECK(code(3.0, 4.0) == 3.0);
    CHECK(code(3.0f, 4.0f) == 3.0f);
    using number = cr::dual<double>;
    const number d = code(number{3.0, {1.0}}, number{4.0, {0.0}});
    CHECK(d.value == 3.0);
    CHECK(d.tangents[0] == Approx(1.0));
    CHECK(cr::tape::gradient([&](const auto& v) { return code(v[0], v[1]); }, std::array{3.0, 4.0})[0] == Approx(1.0));
    constexpr auto F = cr::function(code, cr::relaxed());
    CHECK(F(3.0, 4.0) == 3.0);
    CHECK(F(3.0, 0.0) == 3.0); // the quotient cancels
}

TEST_CASE("relaxed expressions work in calls by name, gradients and batches") {
    constexpr auto f = cr::relaxed(x / y + 2_c / y);
    CHECK(f(x = 2.0, y = 8.0) == 0.5);
    CHECK(cr::gradient(f)(x = 2.0, y = 8.0)[x] == Approx(0.125));
    CHECK(cr::value_and_gradient(f)(x = 2.0, y = 8.0)[y] == Approx(-4.0 / 64));
    const auto v = cr::relaxed(cr::vector(x / y, 2_c / y));
    CHECK(cr::function(v, wrt)(2.0, 8.0)[1] == 0.25);
    CHECK(cr::function(f, wrt)(2.0f, 8.0f) == 0.5f);
}
