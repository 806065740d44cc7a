// SPDX-License-Identifier: BSL-1.0
//
// A program that says `using namespace std; using namespace chainrule;`: but for four names, which docs/errors.md
// lists, it can write everything without a namespace.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <valarray>
#include <vector>

#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

using namespace std;
using namespace chainrule;
using namespace chainrule::literals;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto k = variable<"k">;

constexpr auto f = log(x) + x * y - sin(y) + exp(x) * sqrt(y) + pow(x, 2_c) + abs(x) + max(x, y) + min(x, y) +
                   hypot(x, y) + atan2(x, y) + tgamma(x) + lgamma(x) + erf(x) + cbrt(x) + clamp(x, 0_c, 1_c) +
                   select(x > y, x, y) + log1p(x) + expm1(y) + square(y);
static_assert(to_string(derivative(log(x) + x * y, x)) == "1 / x + y");
static_assert(gradient(x * y)(x = 2.0, y = 3.0)[y] == 2);
static_assert(hessian(x * y, wrt(x, y))(x = 2.0, y = 3.0)(x, y) == 1);
static_assert(chainrule::function(k * x, wrt(x), given(k = 2.0))(3.0) == 6);
static_assert(jacobian(chainrule::vector(x, x* y), wrt(x, y))(x = 2.0, y = 3.0)[1][y] == 2);

// Numbers alone are those of the C++ library.
[[maybe_unused]] double plain(double a, float b, int c) {
    tape::tape t;
    const auto p = t.variable(a);
    const tape::active<double> q = sin(p) * exp(p) + max(p, 2.0) + pow(p, 2) + abs(p);
    t.backward(q);
    const std::vector<double> at{a, 2.0};
    cout << f(x = a, y = at[1]) << valarray<double>{a, 1.0}.sum() << to_string(c) << '\n';
    return p.gradient() + max(a, 2.0) + min(c, 1) + abs(c) + pow(a, 2) + clamp(a, 0.0, 1.0) + hypot(a, a) + b +
           abs(complex<double>(a, a)) + accumulate(at.begin(), at.end(), 0.0) + log(a);
}

} // namespace
