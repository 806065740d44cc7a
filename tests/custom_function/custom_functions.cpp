// SPDX-License-Identifier: BSL-1.0
//
// Functions of the user in every mode that runs: kernels, number types, dual numbers, tapes, checkpoints, traces; and
// what verified() says.
#include "../custom_functions.hpp"
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/trace.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace {

using namespace outside;
namespace tape = chainrule::tape;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

constexpr auto f = gelu(x * y) + mean(x, y) * cubic_root(gelu(x * y)) - leaky(x - y, y, z);

template <class T>
T in_plain_numbers(T a, T b, T c) {
    return gelu(a * b) + mean(a, b) * cubic_root(gelu(a * b)) - leaky(a - b, b, c);
}
std::array<double, 3> by_differences(double a, double b, double c) {
    const double h = 1e-5;
    return {(in_plain_numbers(a + h, b, c) - in_plain_numbers(a - h, b, c)) / (2 * h),
            (in_plain_numbers(a, b + h, c) - in_plain_numbers(a, b - h, c)) / (2 * h),
            (in_plain_numbers(a, b, c + h) - in_plain_numbers(a, b, c - h)) / (2 * h)};
}

struct over_zero_function : cr::custom_function<over_zero_function, 1> {
    static constexpr char name[] = "over_zero";
    template <class T>
    static constexpr T value(const T& u) {
        return u * u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return u + T(1) / T(0);
    }
};
constexpr over_zero_function over_zero;

/// A number-like class with the functions that the user's values need.
struct wrapped {
    double value = 0;
    wrapped() = default;
    wrapped(double v) : value(v) {}
    friend wrapped operator+(wrapped a, wrapped b) { return a.value + b.value; }
    friend wrapped operator-(wrapped a, wrapped b) { return a.value - b.value; }
    friend wrapped operator*(wrapped a, wrapped b) { return a.value * b.value; }
    friend wrapped operator/(wrapped a, wrapped b) { return a.value / b.value; }
    friend bool operator==(wrapped a, wrapped b) { return a.value == b.value; }
    friend wrapped sqrt(wrapped a) { return std::sqrt(a.value); }
};

} // namespace

TEST_CASE("a value is the plain call's, bit for bit", "[custom_function]") {
    for (const double a : {0.3, 1.7, -2.5, 1e-8, 300.0}) {
        CHECK(gelu(x)(x = a) == gelu(a));
        CHECK(cubic_root(x)(x = a) == cubic_root(a));
        CHECK(mean(x, 2.5)(x = a) == mean(a, 2.5));
        CHECK(leaky(x, 0.1, y)(x = a, y = 3.0) == leaky(a, 0.1, 3.0));
        const auto b = static_cast<float>(a);
        CHECK(gelu(x)(x = b) == gelu(b));
        CHECK(f(x = b, y = 0.7f, z = 2.0f) == in_plain_numbers(b, 0.7f, 2.0f));
        CHECK(f(x = a, y = 0.7, z = 2.0) == in_plain_numbers(a, 0.7, 2.0));
    }
}

TEST_CASE("kernels have the derivatives of all orders", "[custom_function]") {
    constexpr auto F = cr::function(f, cr::wrt(x, y, z));
    const auto [value, gradient] = F.value_and_gradient(0.6, 0.8, 2.0);
    CHECK(value == in_plain_numbers(0.6, 0.8, 2.0));
    const auto expected = by_differences(0.6, 0.8, 2.0);
    for (std::size_t k = 0; k < 3; ++k) CHECK(gradient[k] == Approx(expected[k]).epsilon(1e-8));
    const auto hessian = F.hessian(0.6, 0.8, 2.0);
    for (std::size_t k = 0; k < 3; ++k) {
        std::array<double, 3> right{0.6, 0.8, 2.0}, left = right;
        right[k] += 1e-5;
        left[k] -= 1e-5;
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(hessian[j][k] ==
                  Approx((F.gradient(right)[j] - F.gradient(left)[j]) / 2e-5).epsilon(1e-7).margin(1e-9));
    }
    constexpr auto third = cr::derivative<3>(gelu(x), x);
    constexpr auto second = cr::derivative<2>(gelu(x), x);
    CHECK(third(x = 0.4) == Approx((second(x = 0.4001) - second(x = 0.3999)) / 0.0002).epsilon(1e-6));
    constexpr auto J = cr::function(cr::vector(gelu(x * y), mean(x, y)), cr::wrt(x, y));
    CHECK(J.jacobian(0.6, 0.8)[1][0] == Approx(0.6 / (2 * mean(0.6, 0.8))));
    CHECK(cr::operation_count(cr::function(cr::vector(gelu(x * y), gelu(x * y) * x), cr::wrt(x, y))).calls ==
          3); // gelu, normal_cdf, exp
}

TEST_CASE("a constant divided by zero in a derivative is infinite, as that of numbers", "[custom_function]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(cr::function(over_zero(x), cr::wrt(x)).gradient(2.0)[0] == infinity);
    CHECK(over_zero(cr::dual<double>::variable(2.0)).tangents[0] == infinity);
}

TEST_CASE("a class of numbers has its own arithmetic", "[custom_function]") {
    constexpr auto F = cr::function(cubic_root(x) * mean(x, y), cr::wrt(x, y));
    CHECK(F(wrapped(10), wrapped(3)).value == F(10.0, 3.0));
    CHECK(F.gradient(wrapped(10), wrapped(3))[0].value == Approx(F.gradient(10.0, 3.0)[0]).epsilon(1e-14));
    CHECK(cubic_root(wrapped(10)).value == 2);
}

TEST_CASE("dual numbers carry the derivatives forward", "[custom_function]") {
    const auto [a, b, c] = cr::dual_variables(0.6, 0.8, 2.0);
    const auto r = in_plain_numbers(a, b, c);
    const auto expected = cr::function(f, cr::wrt(x, y, z)).value_and_gradient(0.6, 0.8, 2.0);
    CHECK(r.value == expected.value);
    for (std::size_t k = 0; k < 3; ++k) CHECK(r.tangents[k] == Approx(expected.gradient[k]).epsilon(1e-13));
    CHECK(mean(a, 2).tangents[0] == Approx(0.6 / (2 * mean(0.6, 2.0))));
    CHECK(mean(a, 2).tangents[1] == 0);
    CHECK(mean(2.0, a).tangents[0] == Approx(0.6 / (2 * mean(0.6, 2.0))));
    using second = cr::dual<cr::dual<double>>;
    second t;
    t.value = cr::dual<double>::variable(0.4);
    t.tangents[0] = cr::dual<double>(1.0);
    CHECK(gelu(t).tangents[0].tangents[0] == Approx(cr::derivative<2>(gelu(x), x)(x = 0.4)).epsilon(1e-13));
}

TEST_CASE("a tape records them as parts of statements", "[custom_function]") {
    tape::tape t;
    auto a = t.variable(0.6), b = t.variable(0.8), c = t.variable(2.0);
    const tape::active<double> r = gelu(a * b) + mean(a, b) * cubic_root(gelu(a * b)) - leaky(a - b, b, c);
    t.backward(r);
    const auto expected = cr::function(f, cr::wrt(x, y, z)).value_and_gradient(0.6, 0.8, 2.0);
    CHECK(value(r) == expected.value);
    CHECK(a.gradient() == Approx(expected.gradient[0]).epsilon(1e-13));
    CHECK(b.gradient() == Approx(expected.gradient[1]).epsilon(1e-13));
    CHECK(c.gradient() == Approx(expected.gradient[2]).epsilon(1e-13));

    tape::tape by_call;
    auto u = by_call.variable(0.6), v = by_call.variable(0.8);
    const auto s = mean(x, y)(x = u, y = v);
    by_call.backward(s);
    CHECK(u.gradient() == Approx(0.6 / (2 * mean(0.6, 0.8))));
    CHECK(mean(u, 2.0) > 1.4);
}

TEST_CASE("a trace names them", "[custom_function]") {
    tape::trace t;
    const auto a = t.variable(0.6);
    const tape::traced<double> r = gelu(a) * a;
    CHECK(t.primal(r).find(" = gelu(") != std::string::npos);
    CHECK(t.adjoint(r, {}, tape::partial_lines::shown).find("normal_cdf(") != std::string::npos);
}

TEST_CASE("a verified derivative is reported in one sentence", "[custom_function]") {
    CHECK(cr::verified(gelu));
    CHECK(cr::verified(cubic_root));
    CHECK(cr::verified(sine));
    CHECK(cr::verified(mean));
    CHECK(cr::verified(leaky));
    std::ostringstream text;
    text << cr::verified(gelu);
    CHECK(text.str() == "verified: the derivative of gelu is right");
}

namespace {

struct wrong_sign : cr::custom_function<wrong_sign, 2> {
    static constexpr char name[] = "wrong_sign";
    static constexpr double domain[][2] = {{0.5, 1.5}, {-1, 1}};
    template <class T>
    static constexpr T value(const T& u, const T& v) {
        return log(u) * v;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T& v, const T&) {
        if constexpr (K == 0)
            return v / u;
        else
            return -log(u);
    }
};
struct slightly_wrong : cr::custom_function<slightly_wrong, 1> {
    static constexpr char name[] = "slightly_wrong";
    static constexpr double domain[][2] = {{-1, 1}};
    template <class T>
    static constexpr T value(const T& u) {
        return exp(u);
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T& r) {
        return 1.0000001 * r;
    }
};
struct outside_domain : cr::custom_function<outside_domain, 1> {
    static constexpr char name[] = "outside_domain";
    static constexpr double domain[][2] = {{-1, 1}};
    template <class T>
    static constexpr T value(const T& u) {
        return log(u);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return 1 / u;
    }
};
struct white_noise : cr::custom_function<white_noise, 1> {
    static constexpr char name[] = "white_noise";
    static constexpr double domain[][2] = {{0, 1}};
    template <class T>
    static constexpr T value(const T& u) {
        const T wave = sin(12345.678 * u) * 43758.5453;
        return wave - floor(wave);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return cos(u);
    }
};

} // namespace

TEST_CASE("verified says which derivative is wrong, and where", "[custom_function]") {
    const auto sign = cr::verified(wrong_sign{});
    CHECK(!sign);
    CHECK(sign.argument == 1);
    const std::string sentence = sign.text().c_str();
    CHECK(sentence.starts_with("verified: the derivative of wrong_sign by argument 2 at x = "));
    CHECK(sentence.ends_with("; correct derivative<1>"));
    CHECK(sign.found == Approx(-std::log(sign.point[0])));
    CHECK(sign.expected == Approx(std::log(sign.point[0])));
    CHECK(sentence.find(", differences give ") != std::string::npos);

    CHECK(!cr::verified(slightly_wrong{}));

    const auto beyond = cr::verified(outside_domain{});
    CHECK(beyond.is == cr::verification::no_number);
    CHECK(std::string(beyond.text().c_str())
              .starts_with("verified: outside_domain has no finite value or derivative at x = -"));

    const auto rough = cr::verified(white_noise{});
    CHECK(rough.is == cr::verification::rough_values);
    CHECK(std::string(rough.text().c_str()) ==
          "verified: the values of white_noise are too rough for differences by argument 1 "
          "anywhere in its domain; give a domain in which it is smooth");
}

double slope_with_constant_of_another_file(double at);

namespace {

struct times_constant : cr::custom_function<times_constant, 1> {
    static constexpr char name[] = "times_constant";
    template <class T>
    static constexpr T value(const T& u) {
        return 3 * u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 3;
    }
};

/// A value for double only, from a function that is not a constant expression.
struct measured : cr::custom_function<measured, 1> {
    static constexpr char name[] = "measured";
    static constexpr double domain[][2] = {{-2, 2}};
    static double value(double u) {
        static int calls = 0;
        ++calls;
        return std::sinh(u) + 0 * calls;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return cosh(u);
    }
};

} // namespace

TEST_CASE("classes of one name in two files are two functions", "[custom_function]") {
    constexpr auto F = cr::function(times_constant{}(x)*x, cr::wrt(x));
    CHECK(F.gradient(2.0)[0] == 12);
    CHECK(slope_with_constant_of_another_file(2.0) == 8);
}

TEST_CASE("a value may be computed while the program runs only, and for double only", "[custom_function]") {
    constexpr measured f_of;
    CHECK(cr::verified(f_of));
    CHECK(f_of(1) == std::sinh(1.0));
    constexpr auto F = cr::function(f_of(x) * x, cr::wrt(x));
    CHECK(F.gradient(0.5)[0] == Approx(std::sinh(0.5) + 0.5 * std::cosh(0.5)).epsilon(1e-14));
    CHECK(cr::derivative<2>(f_of(x), x)(x = 0.5) == Approx(std::sinh(0.5)).epsilon(1e-14));
}
