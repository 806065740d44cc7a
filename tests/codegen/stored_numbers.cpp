// SPDX-License-Identifier: BSL-1.0
//
// Expressions that store many numbers, or have many parameters: programs read them from memory again and again
// (codegen/order.hpp), in every request. The answers are small integers, so they are the same whatever is rearranged.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <utility>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// One of four terms.
template <std::size_t I>
constexpr auto term() {
    if constexpr (I % 4 == 0)
        return x * y;
    else if constexpr (I % 4 == 1)
        return x * x * y;
    else if constexpr (I % 4 == 2)
        return y * y;
    else
        return y * y * x;
}

/// The sum of number(I) * term<I>().
template <class Number, std::size_t... I>
constexpr auto sum(Number number, std::index_sequence<I...>) {
    return (0_c + ... + (number.template at<I>() * term<I>()));
}
struct stored {
    template <std::size_t I>
    constexpr double at() const {
        return static_cast<double>(I + 1);
    }
};
template <std::size_t Size>
struct parameter {
    template <std::size_t I>
    constexpr auto at() const {
        return cr::variables<"k", Size>.template get<I>();
    }
};

/// The answers for s[0] * x * y + s[1] * x^2 * y + s[2] * y^2 + s[3] * y^2 * x at (2, 3), direction (1, -2), weight 2.
template <class F>
void check(const F& f, const std::array<double, 4>& s) {
    const double a = 2, b = 3, u = 1, v = -2;
    const double value = s[0] * a * b + s[1] * a * a * b + s[2] * b * b + s[3] * b * b * a;
    const std::array gradient{s[0] * b + 2 * s[1] * a * b + s[3] * b * b,
                              s[0] * a + s[1] * a * a + 2 * s[2] * b + 2 * s[3] * b * a};
    const double mixed = s[0] + 2 * s[1] * a + 2 * s[3] * b;
    const std::array hessian{std::array{2 * s[1] * b, mixed}, std::array{mixed, 2 * s[2] + 2 * s[3] * a}};
    const auto twice = [](auto m) {
        for (auto& row : m)
            for (auto& entry : row) entry *= 2;
        return m;
    };
    const double slope = gradient[0] * u + gradient[1] * v;
    const std::array product{hessian[0][0] * u + hessian[0][1] * v, hessian[1][0] * u + hessian[1][1] * v};

    const std::array point{a, b}, direction{u, v};
    CHECK(f(point) == value);
    CHECK(f.gradient(point) == gradient);
    CHECK(f.value_and_gradient(point).gradient == gradient);
    CHECK(f.hessian(point) == hessian);
    CHECK(f.value_gradient_and_hessian(point).hessian == hessian);
    CHECK(f.jvp(point, direction) == slope);
    CHECK(f.vjp(point, 2.0) == std::array{2 * gradient[0], 2 * gradient[1]});
    CHECK(f.hvp(point, direction) == product);
    CHECK(f.lagrangian_hessian(point, 2.0) == twice(hessian));
    CHECK(f.sparse_hessian(point) == std::array{hessian[0][0], mixed, mixed, hessian[1][1]});
    CHECK(f.sparse_lagrangian_hessian(point, 2.0)[3] == 2 * hessian[1][1]);
    CHECK(f.sparse_jacobian(point) == gradient);
    CHECK(f.third_derivatives(point)[0][0][1] == 2 * s[1]);
    CHECK(f.template taylor<2>(point, direction) == std::array{value, slope, (product[0] * u + product[1] * v) / 2});
}

template <std::size_t Size>
constexpr std::array<double, 4> sums() {
    std::array<double, 4> s{};
    for (std::size_t i = 0; i < Size; ++i) s[i % 4] += static_cast<double>(i + 1);
    return s;
}
template <std::size_t Size>
void check_stored() {
    check(cr::function(sum(stored{}, std::make_index_sequence<Size>{}), cr::wrt(x, y)), sums<Size>());
}

} // namespace

TEST_CASE("every request to an expression of 14 stored numbers", "[numbers]") { check_stored<14>(); }
TEST_CASE("every request to an expression of 40 stored numbers", "[numbers]") { check_stored<40>(); }
TEST_CASE("every request to a function of 40 parameters", "[numbers]") {
    constexpr auto indices = std::make_index_sequence<40>{};
    std::array<double, 40> k{};
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<double>(i + 1);
    auto F = cr::function(sum(parameter<40>{}, indices), cr::wrt(x, y), cr::given(cr::variables<"k", 40> = k));
    check(F, sums<40>());
    const double before = F(2.0, 3.0);
    for (double& number : k) number *= 2;
    F.set(cr::variables<"k", 40> = k);
    CHECK(F(2.0, 3.0) == 2 * before);
    CHECK(F(x = 2.0, y = 3.0, cr::variable<"k[0]"> = 0.0) == 2 * before - 2 * 6);
}
TEST_CASE("vectors of expressions with many stored numbers", "[numbers]") {
    constexpr auto half = std::make_index_sequence<20>{};
    const auto G = cr::function(cr::vector(sum(stored{}, half), sum(stored{}, half)), cr::wrt(x, y));
    const std::array point{2.0, 3.0}, direction{1.0, -2.0}, weights{2.0, -1.0};
    const auto jacobian = G.jacobian(point);
    CHECK(jacobian[0] == jacobian[1]);
    CHECK(G.jvp(point, direction)[1] == jacobian[0][0] - 2 * jacobian[0][1]);
    CHECK(G.vjp(point, weights) == jacobian[0]);
    CHECK(G.lagrangian_hessian(point, weights) == cr::function(sum(stored{}, half), cr::wrt(x, y)).hessian(point));
    CHECK(G.taylor<1>(point, direction)[1][1] == G.jvp(point, direction)[0]);
}
