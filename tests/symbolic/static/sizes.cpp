// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of long expressions, which take several constant evaluations: they are those of short ones, and compile
// with the default options of all compilers.
#include <chainrule/chainrule.hpp>

#include "../../expression/static/repeated.hpp"

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto line = [](auto s) { return sin(s) * x + y; };

// 1,200 nested operations.
constexpr auto by_x = cr::gradient(repeated<400>(x, line))[x];
static_assert(decltype(by_x)::depth > 1200 && decltype(by_x)::numbers == 0);
static_assert(cr::same(derivative(repeated<400>(x, line), cr::variable<"z">), 0_c));

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
constexpr auto f = repeated<60>(x, line);
static_assert(close(derivative(f, y)(x = 0.5, y = 0.25), after(60).by_y));
static_assert(close(cr::hessian(repeated<20>(x, line))(x, y)(x = 0.5, y = 0.25), after(20).by_xy));

} // namespace
