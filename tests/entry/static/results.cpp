// SPDX-License-Identifier: BSL-1.0
//
// The ways to ask: by name in any order, gradient, value_and_gradient, hessian, jacobian, function with its parameters.
// Everything here is a constant expression of exact numbers; tests/entry/points.cpp has spans and the like.
#include <chainrule/chainrule.hpp>

#include <boost/hana/tuple.hpp>

#include <array>
#include <concepts>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto k = cr::variable<"k">;

constexpr auto f = x * x * y + z / 2_c; // at (2, 5, 8): 24; gradient 20, 4, 0.5

// Values by name.
static_assert(f(x = 2.0, y = 5.0, z = 8.0) == 24.0);
static_assert(f(z = 8.0, x = 2.0, y = 5.0) == 24.0);
static_assert(f(y = 5.0, z = 8.0, x = 2.0) == 24.0);
static_assert(x(x = 3.0) == 3.0 && (2_c)() == 2.0 && (x * y)(y = 2, x = 3) == 6.0);
static_assert(cr::variable<"a long name">(cr::variable<"a long name"> = 1.5) == 1.5);

// Names are told apart by all their characters.
static_assert((cr::variable<"x1"> - cr::variable<"x2">)(cr::variable<"x2"> = 1.0, cr::variable<"x1"> = 3.0) == 2.0);
static_assert((cr::variable<"x"> - cr::variable<"xx">)(cr::variable<"xx"> = 1.0, cr::variable<"x"> = 3.0) == 2.0);

// Gradients: expressions and numbers.
constexpr auto g = cr::gradient(f);
static_assert(same(g[y], x* x) && same(g[z], 0.5_c));
static_assert(g(x = 2.0, y = 5.0, z = 8.0)[x] == 20.0);
static_assert(g(z = 8.0, y = 5.0, x = 2.0)[y] == 4.0);
static_assert(g(x = 2.0, y = 5.0, z = 8.0)[z] == 0.5);
static_assert(g(x = 2.0, y = 5.0, z = 8.0).values == std::array{20.0, 4.0, 0.5}); // in order of first appearance
constexpr auto g_zx = cr::gradient(f, cr::wrt(z, x));
static_assert(g_zx(x = 2.0, y = 5.0, z = 8.0).values == std::array{0.5, 20.0});
static_assert(same(g_zx[z], 0.5_c));

constexpr auto r = cr::value_and_gradient(f)(x = 2.0, y = 5.0, z = 8.0);
static_assert(r.value == 24.0 && r[x] == 20.0 && r[y] == 4.0 && r[z] == 0.5);
constexpr auto r_y = cr::value_and_gradient(f, cr::wrt(y))(x = 2.0, y = 5.0, z = 8.0);
static_assert(r_y.value == 24.0 && r_y[y] == 4.0 && r_y.values.size() == 1);

// A variable of wrt that does not occur: its derivative is zero. It may be given a value like the others, or none.
static_assert(cr::gradient(x * x, cr::wrt(x, y))(x = 3.0, y = 1.0)[y] == 0.0);
static_assert(cr::gradient(x * x, cr::wrt(x, y))(x = 3.0)[x] == 6.0);
static_assert(cr::gradient(x * x * z, cr::wrt(k, x, y))(z = 2.0, x = 3.0, k = 1.0).values ==
              std::array{0.0, 12.0, 0.0});
static_assert(cr::value_and_gradient(x * x * z, cr::wrt(y, x))(z = 2.0, x = 3.0).value == 18.0);
static_assert(cr::hessian(x * x, cr::wrt(x, y))(y = 1.0, x = 3.0)(x, x) == 2.0);
static_assert(cr::jacobian(cr::vector(x, 2_c * y), cr::wrt(z, x))(y = 1.0, x = 3.0)[0][x] == 1.0);
static_assert(cr::function(x * x, cr::wrt(x, y)).gradient(3.0, 1.0) == std::array{6.0, 0.0});
static_assert(cr::function(x * x, cr::wrt(x), cr::given(k = 1.0)).gradient(3.0)[0] == 6.0);

// Hessians.
constexpr auto h = cr::hessian(f);
static_assert(same(h(x, y), 2_c * x) && same(h(y, x), 2_c * x) && same(h(z, z), 0_c) && same(h(x, x), 2_c * y));
constexpr auto hv = h(y = 5.0, z = 8.0, x = 2.0);
static_assert(hv(x, x) == 10.0 && hv(x, y) == 4.0 && hv(y, x) == 4.0 && hv(y, y) == 0.0 && hv(z, x) == 0.0);
static_assert(cr::hessian(f, cr::wrt(y, x))(x = 2.0, y = 5.0, z = 8.0).values ==
              std::array{std::array{0.0, 4.0}, std::array{4.0, 10.0}});

// Jacobians.
constexpr auto J = cr::jacobian(cr::vector(x * y, x + 3_c * y), cr::wrt(x, y));
static_assert(J(x = 2.0, y = 5.0)[0][x] == 5.0 && J(x = 2.0, y = 5.0)[0][y] == 2.0);
static_assert(J(x = 2.0, y = 5.0)[1][x] == 1.0 && J(y = 5.0, x = 2.0)[1][y] == 3.0);
static_assert(same(J.row<0>()[x], y));

// The positional form.
constexpr auto F = cr::function(f, cr::wrt(x, y, z));
static_assert(F(2.0, 5.0, 8.0) == 24.0);
static_assert(F.gradient(2.0, 5.0, 8.0) == std::array{20.0, 4.0, 0.5});
static_assert(F.gradient(std::array{2.0, 5.0, 8.0})[0] == 20.0);
static_assert(F.value_and_gradient(2.0, 5.0, 8.0).value == 24.0);
static_assert(F.value_and_gradient(2.0, 5.0, 8.0).gradient[1] == 4.0);
static_assert(F.hessian(2.0, 5.0, 8.0)[0][1] == 4.0 && F.hessian(2.0, 5.0, 8.0)[1][0] == 4.0);
static_assert(F.value_gradient_and_hessian(2.0, 5.0, 8.0).hessian[0][0] == 10.0);
static_assert(F.value_gradient_and_hessian(2.0, 5.0, 8.0).gradient[0] == 20.0);
static_assert(F.value_gradient_and_hessian(2.0, 5.0, 8.0).value == 24.0);
static_assert(cr::function(f, cr::wrt(z, y, x))(8.0, 5.0, 2.0) == 24.0);
static_assert(cr::function(f, cr::wrt(z, y, x)).gradient(8.0, 5.0, 2.0) == std::array{0.5, 4.0, 20.0});

constexpr auto G = cr::function(cr::vector(x * y, x + 3_c * y, 7_c), cr::wrt(x, y));
static_assert(G(2.0, 5.0) == std::array{10.0, 17.0, 7.0});
static_assert(G.jacobian(2.0, 5.0)[1] == std::array{1.0, 3.0});
static_assert(G.jacobian(2.0, 5.0)[2] == std::array{0.0, 0.0});
static_assert(G.value_and_jacobian(2.0, 5.0).values == std::array{10.0, 17.0, 7.0});
static_assert(G.value_and_jacobian(2.0, 5.0).jacobian[0] == std::array{5.0, 2.0});

// Equal expressions in one vector stay apart, stored numbers included.
static_assert(cr::function(cr::vector(x, x, 2.0 * x, 3.0 * x), cr::wrt(x))(4.0) == std::array{4.0, 4.0, 8.0, 12.0});

// Parameters.
constexpr auto P = cr::function(k * x * x + y, cr::wrt(x), cr::given(k = 3.0, y = 1.0));
static_assert(P(2.0) == 13.0 && P.gradient(2.0)[0] == 12.0 && P.hessian(2.0)[0][0] == 6.0);
constexpr double after_set() {
    auto p = P;
    p.set(k = 5.0);
    const double first = p(2.0); // 21
    p.set(y = 2.0, k = 1.0);
    return first * 100 + p(2.0); // 6
}
static_assert(after_set() == 2106.0);
static_assert(P(2.0) == 13.0);

// A tuple of Boost.Hana is as good as wrt(...).
constexpr auto xy = boost::hana::make_tuple(x, y);
static_assert(cr::function(x * y, xy).gradient(2.0, 5.0) == std::array{5.0, 2.0});
static_assert(cr::gradient(x * y, xy)(x = 2.0, y = 5.0)[y] == 2.0);
static_assert(cr::hessian(x * y, xy)(x = 2.0, y = 5.0)(x, y) == 1.0);
static_assert(cr::jacobian(cr::vector(x * y), xy)(x = 2.0, y = 5.0)[0][x] == 5.0);
static_assert(cr::value_and_gradient(x * y, xy)(x = 2.0, y = 5.0).value == 10.0);

// The number type is that of the values.
static_assert(std::same_as<decltype(f(x = 2.0F, y = 5.0F, z = 8.0F)), float>);
static_assert(std::same_as<decltype(f(x = 2.0, y = 5.0, z = 8.0)), double>);
static_assert(std::same_as<decltype(f(x = 2.0L, y = 5.0L, z = 8.0L)), long double>);
static_assert(std::same_as<decltype(f(x = 2, y = 5, z = 8)), double>);
static_assert(std::same_as<decltype(f(x = 2.0F, y = 5.0, z = 8.0F)), double>);
static_assert(std::same_as<decltype(f(x = 2.0F, y = 5.0L, z = 8.0)), long double>);
static_assert(std::same_as<decltype(F.gradient(2.0F, 5.0F, 8.0F)), std::array<float, 3>>);
static_assert(std::same_as<decltype(F.gradient(2, 5, 8)), std::array<double, 3>>);
static_assert(std::same_as<std::remove_cvref_t<decltype(g(x = 2.0L, y = 5.0L, z = 8.0L)[x])>, long double>);
static_assert(f(x = 2, y = 5, z = 1) == 20.5); // no integer division
static_assert(F.gradient(2.0F, 5.0F, 8.0F) == std::array{20.0F, 4.0F, 0.5F});
static_assert(F.hessian(2.0L, 5.0L, 8.0L)[0][0] == 10.0L);

} // namespace
