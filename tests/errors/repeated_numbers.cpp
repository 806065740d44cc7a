// SPDX-License-Identifier: BSL-1.0
// expect: stored numbers: the expression stores more than four numbers per operation, since each use of a name copies the numbers in it; trace a function, as in cr::function([](auto x) { auto b = 0.5 * x; return b * b; }), or write exact constants, 0.5_c, or a parameter, function(k * x, wrt(x), given(k = 0.5))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;

// 9 numbers and 30 steps; each step uses the one before it twice.
template <class X, class... C>
constexpr auto written(X x, C... numbers) {
    const auto c = cr::vector(numbers...);
    auto s = c[0_c] * x + c[1_c];
    auto t = c[2_c] * x * s;
    auto step = [&](auto a, auto b) { return (c[3_c] + a) * b - a; };
    auto u = step(s, t);
    auto v = step(t, u);
    auto w = step(u, v);
    auto p = step(v, w);
    auto q = step(w, p);
    auto r = step(p, q);
    auto z = step(q, r);
    auto e = step(r, z);
    auto f = step(z, e);
    auto g = step(e, f);
    auto h = step(f, g);
    auto k = step(g, h);
    auto l = step(h, k);
    auto m = step(k, l);
    auto n = step(l, m);
    return exp(m) * n + c[4_c] * sin(n);
}

constexpr auto x = cr::variable<"x">;
#ifdef CHAINRULE_BAD
constexpr auto f = written(x, 0.5, 1.5, 2.5, 3.5, 4.5);
double slope = cr::derivative(f, x)(x = 2.0);
#else
constexpr auto f = written(x, 0.5_c, 1.5_c, 2.5_c, 3.5_c, 4.5_c);
double slope = cr::derivative(f, x)(x = 2.0);
#endif
