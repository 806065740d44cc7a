// SPDX-License-Identifier: BSL-1.0
//
// Taylor programs of powers, roots and quotients: the equations that their coefficients satisfy, and that their
// operations grow with the square of the order.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;

template <std::size_t N>
using series = std::array<double, N>;
template <std::size_t N>
series<N> times(const series<N>& a, const series<N>& b) {
    series<N> product{};
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; i + j < N; ++j) product[i + j] += a[i] * b[j];
    return product;
}
// The last coefficient is 0 in place of an unknown one.
template <std::size_t N>
series<N> slope(const series<N>& a) {
    series<N> result{};
    for (std::size_t i = 1; i < N; ++i) result[i - 1] = static_cast<double>(i) * a[i];
    return result;
}
template <std::size_t N>
void check_near(const series<N>& found, const series<N>& expected, std::size_t count = N) {
    double scale = 0;
    for (std::size_t i = 0; i < count; ++i) {
        scale = std::max({scale, std::abs(found[i]), std::abs(expected[i])});
        INFO("coefficient " << i);
        CHECK(found[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-13 * scale));
    }
}
constexpr int order = 9;
constexpr std::size_t size = order + 1;
template <class F>
series<size> coefficients(const F& f, double at) {
    return cr::taylor<order>(f, x)(x = at);
}
// (1 + x)^c about 0.
series<size> binomial(double c) {
    series<size> all{1.0};
    for (std::size_t k = 1; k < size; ++k)
        all[k] = all[k - 1] * (c - static_cast<double>(k - 1)) / static_cast<double>(k);
    return all;
}

// Counts operations.
struct counted {
    double value = 0;
    static inline long operations = 0;
    counted() = default;
    explicit counted(double v) : value(v) {}
    static counted made(double v) {
        ++operations;
        return counted(v);
    }
    friend counted operator+(counted a, counted b) { return made(a.value + b.value); }
    friend counted operator-(counted a, counted b) { return made(a.value - b.value); }
    friend counted operator*(counted a, counted b) { return made(a.value * b.value); }
    friend counted operator/(counted a, counted b) { return made(a.value / b.value); }
    friend counted operator-(counted a) { return made(-a.value); }
    friend bool operator<(counted a, counted b) { return a.value < b.value; }
    friend bool operator==(counted a, counted b) { return a.value == b.value; }
#define COUNTED(NAME)                                                                                                  \
    friend counted NAME(counted a) { return made(std::NAME(a.value)); }
    COUNTED(sqrt)
    COUNTED(cbrt)
    COUNTED(exp)
    COUNTED(log)
    COUNTED(sin)
    COUNTED(cos)
    COUNTED(asin)
    COUNTED(atanh)
#undef COUNTED
    friend counted pow(counted a, counted b) { return made(std::pow(a.value, b.value)); }
    friend counted hypot(counted a, counted b) { return made(std::hypot(a.value, b.value)); }
    friend counted atan2(counted a, counted b) { return made(std::atan2(a.value, b.value)); }
};
template <int Order, class F>
long operations(const F& f) {
    const auto of_x = cr::function(f, cr::wrt(x));
    counted::operations = 0;
    (void)of_x.template taylor<Order>(std::array{counted(0.5)}, std::array{counted(1.0)});
    return counted::operations;
}

} // namespace

TEST_CASE("Taylor coefficients of powers, roots and quotients satisfy their equations") {
    check_near(coefficients(pow(1_c + x, -0.3_c), 0.0), binomial(-0.3));
    check_near(coefficients(pow(1_c + x, 0.3_c), 0.0), binomial(0.3));
    check_near(coefficients(pow(1_c + x, 2.5_c), 0.0), binomial(2.5));
    check_near(coefficients(1_c / ((1_c + x) * sqrt(1_c + x)), 0.0), binomial(-1.5));
    check_near(coefficients(cbrt(1_c + x) / square(1_c + x), 0.0), binomial(1. / 3 - 2));

    const double at = 0.3;
    const series<size> one{1.0}, itself{at, 1.0}, next{1 + at, 1.0};
    series<size> squares = times(itself, itself), more = times(next, next);
    for (std::size_t i = 0; i < size; ++i) squares[i] += more[i];
    const series<size> length = coefficients(hypot(x, 1_c + x), at);
    check_near(times(length, length), squares);
    check_near(times(slope(coefficients(atan2(x, 1_c + x), at)), squares), one, order);
    const series<size> rest{1 - at * at, -2 * at, -1.0};
    check_near(times(slope(coefficients(atanh(x), at)), rest), one, order);
    const series<size> root = coefficients(sqrt(1_c - x * x), at), arc = coefficients(asin(x), at);
    check_near(times(root, root), rest);
    check_near(times(slope(arc), root), one, order);
    // Not where a factor is 0, nor in the arm that is not taken.
    const series<size> kinked = coefficients(hypot(x, 0_c), 0.0);
    CHECK(kinked[0] == 0);
    check_near(coefficients(x / (1_c + x), 0.0), times(series<size>{0.0, 1.0}, binomial(-1)));
    check_near(coefficients(select(x > 1_c, 1_c / (x * sqrt(x)), 1_c / (x * x + 1_c)), 0.0),
               coefficients(1_c / (1_c + x * x), 0.0));
}

TEST_CASE("the operations of Taylor programs grow with the square of the order") {
    const auto check = [](const char* name, const auto& f) {
        INFO(name);
        const long at_6 = operations<6>(f), at_12 = operations<12>(f);
        CAPTURE(at_6, at_12);
        CHECK(at_6 > 6);
        CHECK(10 * at_12 < 43 * at_6); // the cube would be 8 times as many
    };
    check("sqrt", sqrt(x));
    check("cbrt", cbrt(x));
    check("asin", asin(x));
    check("atanh", atanh(x));
    check("log", log(2_c + sin(x)));
    check("pow", pow(1_c + x * x, -0.3_c));
    check("hypot", hypot(x, 1_c + x));
    check("atan2", atan2(x, 1_c + x));
    check("product of powers", exp(x) / (x * sqrt(x) * square(1_c + x)));
}
