// SPDX-License-Identifier: BSL-1.0
//
// Number-like types: a dual number, whose derivatives of derivatives are known, and a number that keeps its digits on
// the heap and counts its operations, which shows that slots are constructed and destroyed properly. Both have
// operators and functions that only argument-dependent lookup finds.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <memory>
#include <vector>

namespace forward {

/// a + b e with e^2 = 0.
struct dual {
    double value = 0;
    double tangent = 0;

    dual() = default;
    dual(double v, double t = 0) : value(v), tangent(t) {}

    friend dual operator-(dual a) { return {-a.value, -a.tangent}; }
    friend dual operator+(dual a, dual b) { return {a.value + b.value, a.tangent + b.tangent}; }
    friend dual operator-(dual a, dual b) { return {a.value - b.value, a.tangent - b.tangent}; }
    friend dual operator*(dual a, dual b) { return {a.value * b.value, a.tangent * b.value + a.value * b.tangent}; }
    friend dual operator/(dual a, dual b) {
        return {a.value / b.value, (a.tangent - a.value / b.value * b.tangent) / b.value};
    }
    friend bool operator==(dual a, dual b) { return a.value == b.value; }

    friend dual exp(dual x) { return {std::exp(x.value), std::exp(x.value) * x.tangent}; }
    friend dual log(dual x) { return {std::log(x.value), x.tangent / x.value}; }
    friend dual sqrt(dual x) { return {std::sqrt(x.value), x.tangent / (2 * std::sqrt(x.value))}; }
    friend dual sin(dual x) { return {std::sin(x.value), std::cos(x.value) * x.tangent}; }
    friend dual cos(dual x) { return {std::cos(x.value), -std::sin(x.value) * x.tangent}; }
    friend dual tan(dual x) { return {std::tan(x.value), (1 + std::tan(x.value) * std::tan(x.value)) * x.tangent}; }
    friend dual tanh(dual x) { return {std::tanh(x.value), (1 - std::tanh(x.value) * std::tanh(x.value)) * x.tangent}; }
    friend dual erf(dual x) { return {std::erf(x.value), slope_of_erf(x.value) * x.tangent}; }
    friend dual erfc(dual x) { return {std::erfc(x.value), -slope_of_erf(x.value) * x.tangent}; }
    friend dual pow(dual x, dual y) {
        const double r = std::pow(x.value, y.value);
        return {r, y.value * std::pow(x.value, y.value - 1) * x.tangent + r * std::log(x.value) * y.tangent};
    }

private:
    static double slope_of_erf(double x) { return 1.1283791670955126 * std::exp(-x * x); }
};

} // namespace forward

namespace heap {

/// A long double on the heap.
class number {
public:
    number() : number(0.0) {}
    explicit number(double v) : number(static_cast<long double>(v)) {}
    explicit number(long double v) : digits_(1, v) { ++alive; }
    number(const number& other) : digits_(other.digits_) { ++alive; }
    number(number&& other) noexcept : digits_(std::move(other.digits_)) { ++alive; }
    number& operator=(const number&) = default;
    number& operator=(number&&) = default;
    ~number() { --alive; }

    long double get() const { return digits_.at(0); }

    friend number operator-(const number& a) { return number(-a.get()); }
    friend number operator+(const number& a, const number& b) { return number(a.get() + b.get()); }
    friend number operator-(const number& a, const number& b) { return number(a.get() - b.get()); }
    friend number operator*(const number& a, const number& b) { return number(a.get() * b.get()); }
    friend number operator/(const number& a, const number& b) { return number(a.get() / b.get()); }
    friend number sin(const number& a) { return number(std::sin(a.get())); }
    friend number cos(const number& a) { return number(std::cos(a.get())); }
    friend number log(const number& a) { return number(std::log(a.get())); }
    friend number exp(const number& a) { return number(std::exp(a.get())); }

    static inline int alive = 0;

private:
    std::vector<long double> digits_;
};

} // namespace heap

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using forward::dual;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

Approx near(double v) { return Approx(v).epsilon(1e-12); }

/// The gradient at dual numbers is a row of the Hessian.
template <class E>
void compare_with_hessian(const E& f) {
    constexpr double a = 0.7, b = 1.3;
    const auto F = cr::function(f, cr::wrt(x, y));
    const auto hessian = F.hessian(a, b);
    const std::array<std::array<dual, 2>, 2> points{std::array{dual(a, 1), dual(b)}, std::array{dual(a), dual(b, 1)}};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto [value, gradient] = F.value_and_gradient(points[i]);
        CHECK(value.value == near(F(a, b)));
        CHECK(value.tangent == near(F.gradient(a, b)[i]));
        for (std::size_t j = 0; j < 2; ++j) {
            CHECK(gradient[j].value == near(F.gradient(a, b)[j]));
            CHECK(gradient[j].tangent == near(hessian[i][j]));
        }
    }
    const dual by_name = f(y = dual(b, 1), x = dual(a));
    CHECK(by_name.tangent == near(F.gradient(a, b)[1]));
    const auto keyed = cr::gradient(f)(x = dual(a), y = dual(b, 1));
    CHECK(keyed[x].tangent == near(hessian[0][1]));
    CHECK(cr::hessian(f)(x = dual(a), y = dual(b))(y, y).value == near(hessian[1][1]));
}

} // namespace

TEST_CASE("a dual number goes through every function", "[types]") {
    compare_with_hessian(log(x) + x * y - sin(y));
    compare_with_hessian(exp(x * y) / (1_c + exp(-x)) - y);
    compare_with_hessian(sqrt(x * x + y * y) * cos(x - y));
    compare_with_hessian(tan(x * 0.5_c) + tanh(x * y));
    compare_with_hessian(erf(x * y) - y * erfc(x));
    compare_with_hessian(pow(x, y) + pow(y, 2.5_c) * pow(x, 3_c));
}

TEST_CASE("stored numbers and exact constants meet a number-like type", "[types]") {
    const auto f = 2.0 * x * x + 3 * y + x / 3_c;
    static_assert(std::same_as<decltype(f(x = dual(1.0), y = dual(2.0))), dual>);
    CHECK(f(x = dual(1.5, 1), y = dual(2.0)).value == near(4.5 + 6 + 0.5));
    CHECK(f(x = dual(1.5, 1), y = dual(2.0)).tangent == near(6 + 1.0 / 3));
    CHECK(f(x = dual(1.5, 1), y = 2.0).tangent == near(6 + 1.0 / 3)); // a number beside it is converted

    // The number-like type itself may be stored.
    const auto g = dual(2, 1) * x * y;
    static_assert(std::same_as<decltype(g(x = 1.0, y = 2.0)), dual>);
    CHECK(g(x = 3.0, y = 5.0).value == near(30));
    CHECK(g(x = 3.0, y = 5.0).tangent == near(15)); // by the stored number
    CHECK(cr::gradient(g)(x = 3.0, y = 5.0)[x].tangent == near(5));
    CHECK(cr::derivative(g, x)(y = 5.0).value == near(10));
}

TEST_CASE("parameters may be of a number-like type", "[types]") {
    constexpr auto k = cr::variable<"k">;
    auto F = cr::function(k * x * x, cr::wrt(x), cr::given(k = dual(2, 1)));
    CHECK(F(3.0).value == near(18));
    CHECK(F.gradient(3.0)[0].tangent == near(6));
    F.set(k = dual(1, 0));
    CHECK(F(3.0).tangent == 0);
}

TEST_CASE("a number that owns memory is constructed and destroyed properly", "[types]") {
    using heap::number;
    constexpr auto f = log(x) + x * y - sin(y) / (exp(x) + 2_c);
    constexpr auto F = cr::function(f, cr::wrt(x, y));
    {
        const auto reference = F.value_gradient_and_hessian(2.0L, 5.0L);
        const auto [value, gradient, hessian] = F.value_gradient_and_hessian(number(2.0), number(5.0));
        CHECK(value.get() == reference.value);
        for (std::size_t i = 0; i < 2; ++i) {
            CHECK(gradient[i].get() == reference.gradient[i]);
            for (std::size_t j = 0; j < 2; ++j) CHECK(hessian[i][j].get() == reference.hessian[i][j]);
        }
        CHECK(f(x = number(2.0), y = number(5.0)).get() == reference.value);
        CHECK(cr::gradient(f)(x = number(2.0), y = number(5.0))[y].get() == reference.gradient[1]);
    }
    CHECK(number::alive == 0);
}
