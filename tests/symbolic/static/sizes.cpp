// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of long expressions, which take several constant evaluations: they are those of short ones, and compile
// with the default options of all compilers.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// Written in halves, so that the test itself does not nest.
template <int Times, class S>
constexpr auto repeated(S s) {
    if constexpr (Times == 1)
        return sin(s) * x + y;
    else
        return repeated<Times - Times / 2>(repeated<Times / 2>(s));
}

// 1,200 nested operations.
constexpr auto by_x = cr::gradient(repeated<400>(x))[x];
static_assert(decltype(by_x)::depth > 1200 && decltype(by_x)::numbers == 0);
static_assert(cr::same(derivative(repeated<400>(x), cr::variable<"z">), 0_c));

// The numbers of 60 steps, by the rule of calculus for one.
struct dual {
    double value, by_x, by_y, by_xy;
};
constexpr dual step(dual s) {
    const double sine = sin(x)(x = s.value), cosine = cos(x)(x = s.value);
    const double px = cosine * s.by_x, py = cosine * s.by_y;
    const double pxy = cosine * s.by_xy - sine * s.by_x * s.by_y;
    return {sine * 0.5 + 0.25, px * 0.5 + sine, py * 0.5 + 1, pxy * 0.5 + py};
}
constexpr dual after(int steps) {
    dual s{0.5, 1, 0, 0};
    for (int i = 0; i < steps; ++i) s = step(s);
    return s;
}
constexpr bool close(double a, double b) { return a - b < 1e-12 && b - a < 1e-12; }
constexpr auto f = repeated<60>(x);
static_assert(close(derivative(f, y)(x = 0.5, y = 0.25), after(60).by_y));
static_assert(close(cr::hessian(repeated<20>(x))(x, y)(x = 0.5, y = 0.25), after(20).by_xy));

} // namespace
