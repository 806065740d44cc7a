// SPDX-License-Identifier: BSL-1.0
//
// Custom functions in batches and sums: the same numbers as at each point alone.
#include "catch.hpp"
#include "custom_functions.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <cstddef>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto k = cr::variable<"k">;

const std::vector<double> points = {-3.0, -1.5, -0.25, 0.0, 0.5, 1.0, 2.0, 2.5, 3.5};

template <class F>
void check(const F& f) {
    const auto all = cr::batch(f).value_and_gradient(cr::columns(points));
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(all.value(i) == Approx(f(points[i])));
        CHECK(all.gradient(i, 0) == Approx(f.gradient(points[i])[0]));
    }
}

} // namespace

TEST_CASE("batches: custom functions of traced code and of expressions", "[batch][custom_function]") {
    check(cr::function([](auto u) { return outside::gelu(u) + outside::cubic_root(u) * u; }));
    check(cr::function(outside::gelu(x) + outside::cubic_root(x) * x, cr::wrt(x)));
}

namespace {

struct product_function : cr::custom_function<product_function, 2> {
    static constexpr char name[] = "product";
    template <class T>
    static constexpr T value(const T& a, const T& b) {
        return a * b;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& a, const T& b, const T&) {
        return K == 0 ? b : a;
    }
};
constexpr product_function product{};

} // namespace

TEST_CASE("batches: custom functions of two arguments", "[batch][custom_function]") {
    check(cr::function(product(x, x + 1.0) * x, cr::wrt(x)));
    const auto sum = cr::sum(product(k, x), cr::over(x = points), cr::wrt(k));
    CHECK(sum.value_and_gradient(2.0).gradient[0] == Approx(4.75));
    CHECK(sum(2.0) == Approx(9.5));
    const std::vector starts{1.0, 1.0}, factors{2.0, 4.0};
    const auto root = cr::batch(cr::function(product(x, k) - 1.0, cr::wrt(x), cr::given(k = 1.0)))
                          .newton(cr::columns(x = starts, k = factors));
    CHECK(root(1) == Approx(0.25));
}

TEST_CASE("sums: custom functions in the terms", "[batch][custom_function]") {
    const auto total = cr::sum(outside::cubic_root(k * x), cr::over(x = points), cr::wrt(k));
    double value = 0.0, slope = 0.0;
    constexpr auto each = cr::function(outside::cubic_root(k * x), cr::wrt(k, x));
    for (const double p : points) {
        value += each(1.5, p);
        slope += each.gradient(1.5, p)[0];
    }
    CHECK(total(1.5) == Approx(value));
    CHECK(total.gradient(1.5)[0] == Approx(slope));
}
