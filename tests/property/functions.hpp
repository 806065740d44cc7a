// SPDX-License-Identifier: BSL-1.0
//
// Every row of the table of functions, compiled with every chain factor. Each function is called with 3 x + 1, at
// seeded points of its domain. First derivatives are compared with differences of plain values, second derivatives with
// differences of first ones. A new row is tested without an edit here; tests/one_row shows that. Each functions_*.cpp
// tests some of the rows.
#pragma once

#include "catch.hpp"

#include "differences.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/functions/derivatives.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

namespace {

namespace cr = chainrule;
namespace functions = chainrule::functions;
using namespace chainrule::literals;
using reference::estimate;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr int points = 40;

/// Arguments of a function: half of them uniform, half with a uniform logarithm where the domain is positive.
class arguments {
public:
    explicit arguments(functions::interval domain) : domain_(domain) {}

    long double next() {
        const long double low = domain_.low, high = domain_.high;
        const long double t = std::uniform_real_distribution<long double>(0.02L, 0.98L)(random_);
        if (low > 0 && random_() % 2 == 0) return low * std::pow(high / low, t);
        return low + (high - low) * t;
    }
    /// The largest step of a difference at an argument.
    long double radius(long double u) const { return std::min({0.5L, (u - domain_.low) / 2, (domain_.high - u) / 2}); }

private:
    functions::interval domain_;
    std::mt19937_64 random_{5};
};

void compare(long double found, estimate expected, long double scale) {
    CAPTURE(found, expected.value, expected.error);
    CHECK(expected.error <= 1e-8L * (scale + std::abs(expected.value))); // or the comparison says nothing
    CHECK(std::abs(found - expected.value) <= 20 * expected.error + 1e-13L * (scale + std::abs(expected.value)));
}

/// A kernel of N variables and the plain function beside it. The type hides which: comparisons compile for long, and so
/// they are compiled once for each N and not for each function.
template <std::size_t N>
struct tested_function {
    using point = std::array<long double, N>;
    struct results {
        long double value;
        point gradient;
        std::array<point, N> hessian;
    };
    virtual long double plain(const point& at) const = 0;
    virtual long double value(const point& at) const = 0;
    virtual long double value_beside_gradient(const point& at) const = 0;
    virtual point gradient(const point& at) const = 0;
    virtual point gradient_in_double(const std::array<double, N>& at) const = 0;
    virtual std::array<point, N> hessian(const point& at) const = 0;
    virtual results value_gradient_and_hessian(const point& at) const = 0;

protected:
    ~tested_function() = default;
};

template <std::size_t N, class F, class Plain>
struct tested_kernel final : tested_function<N> {
    using typename tested_function<N>::point;
    const F& f;
    const Plain& of_plain;

    tested_kernel(const F& kernel, const Plain& p) : f(kernel), of_plain(p) {}
    long double plain(const point& at) const override { return of_plain(at); }
    long double value(const point& at) const override { return f(at); }
    long double value_beside_gradient(const point& at) const override { return f.value_and_gradient(at).value; }
    point gradient(const point& at) const override { return f.gradient(at); }
    point gradient_in_double(const std::array<double, N>& at) const override {
        const auto found = f.gradient(at); // of long double where the function stores such a number
        point gradient{};
        std::copy(found.begin(), found.end(), gradient.begin());
        return gradient;
    }
    std::array<point, N> hessian(const point& at) const override { return f.hessian(at); }
    typename tested_function<N>::results value_gradient_and_hessian(const point& at) const override {
        const auto [value, gradient, hessian] = f.value_gradient_and_hessian(at);
        return {value, gradient, hessian};
    }
};

template <std::size_t N>
void check_kernel(const tested_function<N>& f, const std::array<long double, N>& at,
                  const std::array<long double, N>& radius) {
    const long double value = f.plain(at);
    CHECK(f.value(at) == value);
    const auto [also_value, gradient, hessian] = f.value_gradient_and_hessian(at);
    CHECK(also_value == value);
    CHECK(f.value_beside_gradient(at) == value);
    const auto along = [&](std::size_t i, const auto& g) {
        return reference::difference_quotient(
            [&](long double t) {
                std::array<long double, N> moved = at;
                moved[i] = t;
                return g(moved);
            },
            at[i], radius[i]);
    };
    std::array<double, N> in_double;
    std::transform(at.begin(), at.end(), in_double.begin(), [](long double t) { return static_cast<double>(t); });
    const auto double_gradient = f.gradient_in_double(in_double);
    const auto gradient_alone = f.gradient(at);
    const auto hessian_alone = f.hessian(at);
    for (std::size_t i = 0; i < N; ++i) {
        CAPTURE(i);
        compare(gradient[i], along(i, [&](const auto& p) { return f.plain(p); }), std::abs(value));
        CHECK(std::abs(gradient_alone[i] - gradient[i]) <= 1e-16L * (std::abs(gradient[i]) + std::abs(value)));
        long double sensitivity = std::abs(value) + std::abs(gradient[i]);
        for (std::size_t j = 0; j < N; ++j) {
            CAPTURE(j);
            compare(hessian[i][j], along(j, [&](const auto& p) { return f.gradient(p)[i]; }), std::abs(gradient[i]));
            CHECK(std::abs(hessian_alone[i][j] - hessian[i][j]) <=
                  1e-15L * (std::abs(hessian[i][j]) + std::abs(gradient[i])));
            sensitivity += std::abs(hessian[i][j]) * (1 + std::abs(at[j]));
        }
        CHECK(std::abs(double_gradient[i] - gradient[i]) <= 1e-13L * sensitivity);
    }
}

/// Compares a function of N variables with `plain`, which computes its value from a point, and its derivatives with
/// differences of at most `radius` in each coordinate.
template <std::size_t N, class F, class Plain>
void check(const F& f, const Plain& plain, const std::array<long double, N>& at,
           const std::array<long double, N>& radius) {
    check_kernel<N>(tested_kernel<N, F, Plain>(f, plain), at, radius);
}

/// An exact constant inside an interval.
template <functions::interval Domain, int Eighths>
constexpr auto constant_inside() {
    constexpr auto hundredths =
        static_cast<chainrule::core::integer>(100 * (Domain.low + (Domain.high - Domain.low) * Eighths / 8));
    constexpr auto divisor = std::gcd(hundredths, chainrule::core::integer{100});
    return typename cr::constant<hundredths / divisor, 100 / divisor>::node{};
}
template <class Constant>
constexpr long double value_of = Constant::value().template as<long double>();

template <class Row>
void check_unary() {
    constexpr auto f = typename cr::unary<Row, decltype(3_c * x + 1_c)>::node{};
    constexpr auto F = cr::function(f, cr::wrt(x));
    for (const auto& box : functions::boxes_of<Row>) {
        arguments draw(box[0]);
        for (int i = 0; i < points; ++i) {
            const long double u = draw.next(), at = (u - 1) / 3;
            CAPTURE(u);
            check<1>(F, [](const auto& p) { return Row::value(3 * p[0] + 1); }, {at}, {draw.radius(u) / 3});
            const long double r = Row::value(u);
            compare(cr::functions::derivative<0, Row>(u, r),
                    reference::difference_quotient([](long double t) { return Row::value(t); }, u, draw.radius(u)),
                    std::abs(r));
        }
    }
}

template <class Row, std::size_t Box = 0>
void check_binary() {
    constexpr auto box = functions::boxes_of<Row>[Box];
    arguments draw_first(box[0]), draw_second(box[1]);
    const auto expression = [](auto a, auto b) {
        using node = typename cr::binary<Row, cr::expressions::operand<decltype(a)>,
                                         cr::expressions::operand<decltype(b)>>::node;
        if constexpr (node::numbers == 0)
            return node{};
        else
            return cr::expressions::joined<node>(cr::expressions::as_operand(a), cr::expressions::as_operand(b));
    };
    constexpr auto p = constant_inside<box[0], 3>();
    constexpr auto q = constant_inside<box[1], 7>();
    for (int i = 0; i < points; ++i) {
        const long double u = draw_first.next(), v = draw_second.next();
        const long double ru = draw_first.radius(u), rv = draw_second.radius(v);
        const long double from_u = (u - 1) / 3, from_v = (v - 1) / 3;
        CAPTURE(u, v);
        {
            INFO("both arguments are expressions");
            constexpr auto F = cr::function(expression(3_c * x + 1_c, 3_c * y + 1_c), cr::wrt(x, y));
            check<2>(F, [](const auto& at) { return Row::value(3 * at[0] + 1, 3 * at[1] + 1); }, {from_u, from_v},
                     {ru / 3, rv / 3});
        }
        {
            INFO("the second argument is a stored number");
            const auto F = cr::function(expression(3_c * x + 1_c, v), cr::wrt(x));
            check<1>(F, [&](const auto& at) { return Row::value(3 * at[0] + 1, v); }, {from_u}, {ru / 3});
        }
        {
            INFO("the first argument is a stored number");
            const auto F = cr::function(expression(u, 3_c * y + 1_c), cr::wrt(y));
            check<1>(F, [&](const auto& at) { return Row::value(u, 3 * at[0] + 1); }, {from_v}, {rv / 3});
        }
        {
            INFO("the second argument is an exact constant");
            constexpr auto F = cr::function(expression(3_c * x + 1_c, q), cr::wrt(x));
            check<1>(F, [](const auto& at) { return Row::value(3 * at[0] + 1, value_of<decltype(q)>); }, {from_u},
                     {ru / 3});
        }
        {
            INFO("the first argument is an exact constant");
            constexpr auto F = cr::function(expression(p, 3_c * y + 1_c), cr::wrt(y));
            check<1>(F, [](const auto& at) { return Row::value(value_of<decltype(p)>, 3 * at[0] + 1); }, {from_v},
                     {rv / 3});
        }
        {
            INFO("one argument is a number, the other an exact constant, and a variable is a factor");
            const auto F = cr::function(x * expression(x, v) * expression(p, y) * expression(x, q), cr::wrt(x, y));
            const long double radius = std::min({ru, 0.1L}), radius_v = std::min({rv, 0.1L});
            const auto plain = [&](const auto& at) {
                return at[0] * Row::value(at[0], v) * Row::value(value_of<decltype(p)>, at[1]) *
                       Row::value(at[0], value_of<decltype(q)>);
            };
            check<2>(F, plain, {u, v}, {radius, radius_v});
        }
        const long double r = Row::value(u, v);
        compare(cr::functions::derivative<0, Row>(u, v, r),
                reference::difference_quotient([&](long double t) { return Row::value(t, v); }, u, ru), std::abs(r));
        compare(cr::functions::derivative<1, Row>(u, v, r),
                reference::difference_quotient([&](long double t) { return Row::value(u, t); }, v, rv), std::abs(r));
    }
    if constexpr (Box + 1 < functions::boxes_of<Row>.size()) check_binary<Row, Box + 1>();
}

template <class Row>
void check_ternary(const std::array<functions::interval, 3>& box) {
    arguments draw[] = {arguments(box[0]), arguments(box[1]), arguments(box[2])};
    constexpr auto z = cr::variable<"z">;
    for (int i = 0; i < points; ++i) {
        const std::array<long double, 3> u{draw[0].next(), draw[1].next(), draw[2].next()};
        std::array<long double, 3> radius{}, from{};
        for (std::size_t k = 0; k < 3; ++k) {
            radius[k] = draw[k].radius(u[k]) / 3;
            from[k] = (u[k] - 1) / 3;
        }
        CAPTURE(u[0], u[1], u[2]);
        {
            INFO("all arguments are expressions");
            constexpr auto f = cr::expressions::node_of<Row, decltype(3_c * x + 1_c), decltype(3_c * y + 1_c),
                                                        decltype(3_c * z + 1_c)>{};
            check<3>(
                cr::function(f, cr::wrt(x, y, z)),
                [](const auto& at) { return Row::value(3 * at[0] + 1, 3 * at[1] + 1, 3 * at[2] + 1); }, from, radius);
        }
        {
            INFO("the second argument is a stored number");
            using stored = typename cr::number<long double>::node;
            using node = cr::expressions::node_of<Row, decltype(3_c * x + 1_c), stored, decltype(3_c * z + 1_c)>;
            const auto f = cr::expressions::joined<node>(3_c * x + 1_c, stored{u[1]}, 3_c * z + 1_c);
            check<2>(cr::function(f, cr::wrt(x, z)),
                     [&](const auto& at) { return Row::value(3 * at[0] + 1, u[1], 3 * at[1] + 1); }, {from[0], from[2]},
                     {radius[0], radius[2]});
        }
    }
}

/// Checks the rows with that number of arguments, of every `parts` of them one.
template <unsigned Arity, unsigned Part = 0, unsigned Parts = 1>
void check_functions() {
    const auto one = []<class R>(R) {
        if constexpr (R::arity == Arity && R::position % Parts == Part) {
            DYNAMIC_SECTION(R::name) {
                if constexpr (R::arity == 1)
                    check_unary<R>();
                else if constexpr (R::arity == 2)
                    check_binary<R>();
                else
                    for (const auto& box : functions::boxes_of<R>) check_ternary<R>(box);
            }
        }
    };
    [&]<class... Row>(functions::row_list<Row...>) { (one(Row{}), ...); }(functions::all{});
}

} // namespace
