// SPDX-License-Identifier: BSL-1.0
//
// Bell curves that differ by logarithms and by exponentials of values: one call of exp for both, and no call for what
// cancels. What may not be replaced stays.
#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto spot = cr::variable<"spot">;
constexpr auto strike = cr::variable<"strike">;
constexpr auto rate = cr::variable<"rate">;
constexpr auto carry = cr::variable<"carry">;
constexpr auto sigma = cr::variable<"sigma">;
constexpr auto time_ = cr::variable<"time">;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

constexpr unsigned value = cr::request::values, gradient = value | cr::request::jacobians;

// Black and Scholes: spot phi(d1) = strike exp(-rate time) phi(d2).
constexpr auto spread = sigma * sqrt(time_);
constexpr auto d1 = (log(spot / strike) + (rate + 0.5_c * sigma * sigma) * time_) / spread;
constexpr auto d2 = d1 - spread;
constexpr auto price = spot * normal_cdf(d1) - strike * exp(-rate * time_) * normal_cdf(d2);
constexpr auto Price = cr::function(price, cr::wrt(spot, strike, rate, sigma, time_));
static_assert(cr::operation_count<gradient>(Price).calls == cr::operation_count<value>(Price).calls + 1);
// The derivative with respect to spot is normal_cdf(d1), as in the books: it needs no call at all.
constexpr auto Delta =
    cr::function(price, cr::wrt(spot), cr::given(strike = 1.0, rate = 1.0, sigma = 1.0, time_ = 1.0));
static_assert(cr::operation_count<gradient>(Delta).total == cr::operation_count<value>(Delta).total);
// The other way to write d2, and the logarithm of each price.
constexpr auto e2 = (log(spot) - log(strike) + (rate - sigma * sigma / 2_c) * time_) / (sigma * sqrt(time_));
constexpr auto e1 = (log(spot) - log(strike) + (rate + sigma * sigma / 2_c) * time_) / (sigma * sqrt(time_));
constexpr auto Other = cr::function(spot * normal_cdf(e1) - strike * exp(-rate * time_) * normal_cdf(e2), cr::wrt(spot),
                                    cr::given(strike = 1.0, rate = 1.0, sigma = 1.0, time_ = 1.0));
static_assert(cr::operation_count<gradient>(Other).total == cr::operation_count<value>(Other).total);
// With a dividend yield (Merton 1973), and a put.
constexpr auto m1 = (log(spot / strike) + (rate - carry + 0.5_c * sigma * sigma) * time_) / spread;
constexpr auto m2 = m1 - spread;
constexpr auto Put =
    cr::function(strike * exp(-rate * time_) * normal_cdf(-m2) - spot * exp(-carry * time_) * normal_cdf(-m1),
                 cr::wrt(spot), cr::given(strike = 1.0, rate = 1.0, carry = 1.0, sigma = 1.0, time_ = 1.0));
static_assert(cr::operation_count<gradient>(Put).total ==
              cr::operation_count<value>(Put).total + 2); // a product, its sign

// Traced code is no different.
constexpr auto Traced = cr::function([](auto s, auto k, auto r, auto v, auto t) {
    const auto width = v * sqrt(t);
    const auto u = (log(s / k) + (r + 0.5 * v * v) * t) / width;
    return s * cr::normal_cdf(u) - k * exp(-r * t) * cr::normal_cdf(u - width);
});
static_assert(cr::operation_count<gradient>(Traced).calls == cr::operation_count<value>(Traced).calls + 1);

// Two curves of one exponent, written in two ways.
constexpr auto Same = cr::function(erf(x - y) * log(z) + erf(y - x) * x, cr::wrt(x, y, z));
static_assert(cr::operation_count<gradient>(Same).calls == cr::operation_count<value>(Same).calls + 1);

// Curves without such a relation keep their calls: another width, a logarithm to a power that is not an integer, and an
// exponential that is not a value.
constexpr auto Widths = cr::function(erf(log(x) + y) + erf(2_c * log(x) - y), cr::wrt(x, y));
static_assert(cr::operation_count<gradient>(Widths).calls == cr::operation_count<value>(Widths).calls + 2);
constexpr auto Root = cr::function(erf((log(x) + y) / sqrt(y)) + erf((log(x) / 3_c - y) / sqrt(y)), cr::wrt(x, y));
static_assert(cr::operation_count<gradient>(Root).calls == cr::operation_count<value>(Root).calls + 2);
constexpr auto Missing =
    cr::function(spot * normal_cdf(d1) - strike * normal_cdf(d2), cr::wrt(spot, strike, rate, sigma, time_));
static_assert(cr::operation_count<gradient>(Missing).calls == cr::operation_count<value>(Missing).calls + 2);

// Nor where an arm may not be taken: its numbers may be infinite.
constexpr auto Arms = cr::function(select(x > 0_c, erf(x - y) * log(x), erf(y - x)), cr::wrt(x, y));
static_assert(cr::operation_count<gradient>(Arms).calls == cr::operation_count<value>(Arms).calls + 2);
