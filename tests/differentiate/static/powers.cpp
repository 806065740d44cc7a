// SPDX-License-Identifier: BSL-1.0
//
// The powers of derivatives: those that values hold and logarithms of constants take no call of their own,
// and roots cancel.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;

constexpr unsigned value = cr::request::values, gradient = value | cr::request::jacobians,
                   hessian = gradient | cr::request::hessians;

// The derivative of (x / l)^k holds the exponent k - 1 of the density: one pow and one difference for both.
constexpr auto Weibull = cr::function([](auto x, auto k, auto l) {
    const auto u = x / l;
    return k / l * pow(u, k - 1.0) * exp(-pow(u, k));
});
static_assert(cr::operation_count<gradient>(Weibull).calls == cr::operation_count<value>(Weibull).calls + 3);
static_assert(cr::operation_count<gradient>(Weibull).total == cr::operation_count<value>(Weibull).total + 16);

// The derivative of c^y takes the logarithm of c, which is a constant.
constexpr auto Antoine = cr::function([](auto a, auto b, auto c, auto t) { return pow(10.0, a - b / (c + t)); });
static_assert(cr::operation_count<gradient>(Antoine).calls == 1);
constexpr auto Half = cr::function([](auto t, auto h) { return pow(0.5, t / h); });
static_assert(cr::operation_count<gradient>(Half).calls == 1);
static_assert(cr::operation_count<gradient>(cr::function([](auto k) { return pow(2.0, k); })).total == 2);

// u / sqrt(u) is sqrt(u), at 0 too.
constexpr auto Root = cr::function([](auto x, auto y) { return x * sqrt(x) + y * cbrt(y); });
static_assert(Root.gradient(0.0, 0.0) == std::array{0.0, 0.0});
static_assert(Root.gradient(4.0, 8.0) == std::array{3.0, 8.0 / 3.0});
static_assert(cr::operation_count<gradient>(Root).divisions == 0);

// Powers of 1 / cbrt(u) take no division by u.
constexpr auto Cube_root = cr::function([](auto x, auto y) { return cbrt(x * x + y) * exp(y); });
static_assert(cr::operation_count<hessian>(Cube_root).divisions == 1);

} // namespace
