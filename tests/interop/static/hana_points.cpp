// SPDX-License-Identifier: BSL-1.0
//
// Data of Boost.Hana as arguments: maps and tuples as points, strings as variables, constants as values.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
namespace hana = boost::hana;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto name_of_x = BOOST_HANA_STRING("x");
constexpr auto name_of_y = BOOST_HANA_STRING("y");
constexpr auto two = hana::int_c<2>;
constexpr std::integral_constant<long, 5> five{};

constexpr auto f = x * x * y + x / y;
constexpr auto F = cr::function(f, cr::wrt(x, y));

// A map from variables, or their names, to numbers is a point.
constexpr auto point = hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(name_of_y, 5.0));
static_assert(f(point) == f(x = 2.0, y = 5.0) && F(point) == F(2.0, 5.0));
static_assert(cr::vector(f, x)(point) == cr::vector(f, x)(x = 2.0, y = 5.0));
static_assert(cr::gradient(f)(point).values == F.gradient(2.0, 5.0));
static_assert(cr::value_and_gradient(f)(point).value == F(2.0, 5.0));
static_assert(cr::hessian(f)(point).values == F.hessian(2.0, 5.0));
static_assert(cr::jacobian(cr::vector(x, f))(point)[1].values == F.gradient(2.0, 5.0));
static_assert(cr::taylor<2>(f, x)(point) == cr::taylor<2>(f, x)(x = 2.0, y = 5.0));
static_assert(F.gradient(point) == F.gradient(2.0, 5.0) && F.hessian(point) == F.hessian(2.0, 5.0));
static_assert(F.value_and_gradient(point).value == F(2.0, 5.0));
static_assert(F.value_gradient_and_hessian(point).gradient == F.gradient(2.0, 5.0));
static_assert(F.sparse_hessian(point) == F.sparse_hessian(2.0, 5.0));
static_assert(cr::function(cr::vector(f, x), cr::wrt(x, y)).jacobian(point)[0] == F.gradient(2.0, 5.0));
static_assert(cr::newton(y * y - x, y, 1.0, hana::make_map(hana::make_pair(x, 4.0))) == 2.0);

// With other arguments, with variables that do not occur, and with numbers of several types.
static_assert(f(hana::make_map(hana::make_pair(x, 2.0)), y = 5.0) == f(point));
static_assert(cr::derivative(x * y, x)(point) == 5.0);
static_assert(std::is_same_v<decltype(f(hana::make_map(hana::make_pair(x, 2.0f), hana::make_pair(y, 5.0f)))), float>);
static_assert(f(hana::make_map(hana::make_pair(x, two), hana::make_pair(y, five))) == f(point));
constexpr auto q = cr::variables<"q", 2>;
static_assert(dot(q, q)(hana::make_map(hana::make_pair(q[0_c], 3.0), hana::make_pair(q[1_c], 4.0))) == 25.0);

// What gradients are as maps is a point again: a step of the method of steepest descent.
constexpr auto slopes = hana::to_map(cr::gradient(f)(point));
static_assert(f(slopes) == f(x = F.gradient(2.0, 5.0)[0], y = F.gradient(2.0, 5.0)[1]));

// Parameters and substitutions.
constexpr auto P = cr::function(k * x * y, cr::wrt(x, y), cr::given(hana::make_map(hana::make_pair(k, 3.0))));
static_assert(P(point) == 30.0);
static_assert([] {
    auto changed = P;
    changed.set(hana::make_map(hana::make_pair(BOOST_HANA_STRING("k"), 4)));
    return changed(2.0, 5.0);
}() == 40.0);
static_assert(cr::same(cr::substitute(f, hana::make_map(hana::make_pair(x, y), hana::make_pair(name_of_y, x))),
                       cr::substitute(f, x = y, y = x)));

// A tuple of arguments by name.
constexpr auto named = hana::make_tuple(y = 5.0, x = 2.0);
static_assert(f(named) == f(point) && F.gradient(named) == F.gradient(point));
static_assert(dot(q, q)(hana::make_tuple(q = std::array{3.0, 4.0})) == 25.0);
static_assert(f(hana::append(hana::make_tuple(x = 2.0), y = 5.0)) == f(point));

// A tuple of numbers is a point, a direction or weights by position.
constexpr auto numbers = hana::make_tuple(2.0, 5.0);
static_assert(F(numbers) == F(2.0, 5.0) && F.gradient(numbers) == F.gradient(2.0, 5.0));
static_assert(F.gradient(hana::make_tuple(two, 5.0f)) == F.gradient(2, 5.0f));
static_assert(std::is_same_v<decltype(F(hana::make_tuple(2.0f, 5.0f))), float>);
static_assert(F.jvp(numbers, hana::make_tuple(1, 0.5)) == F.jvp(std::array{2.0, 5.0}, std::array{1.0, 0.5}));
static_assert(F.hvp(numbers, numbers) == F.hvp(std::array{2.0, 5.0}, std::array{2.0, 5.0}));
static_assert(F.taylor<2>(numbers, numbers) == F.taylor<2>(std::array{2.0, 5.0}, std::array{2.0, 5.0}));
constexpr auto G = cr::function([](auto a, auto b) { return std::array{a * b, a - b, a / b}; });
static_assert(G.jacobian(numbers) == G.jacobian(2.0, 5.0));
static_assert(G.vjp(numbers, hana::make_tuple(1.0, two, 3.0)) ==
              G.vjp(std::array{2.0, 5.0}, std::array{1.0, 2.0, 3.0}));
constexpr auto R = cr::function<2>([](const auto& a) { return a[0] * a[1]; });
static_assert(R.gradient(numbers) == std::array{5.0, 2.0});

// A string stands for the variable of that name.
static_assert(cr::same(cr::derivative(f, name_of_x), cr::derivative(f, x)));
static_assert(cr::same(cr::derivative(f, name_of_x, y), cr::derivative(f, x, y)));
static_assert(cr::same(cr::derivative<2>(f, name_of_x), cr::derivative<2>(f, x)));
static_assert(cr::same(cr::derivative(f, name_of_x, two), cr::derivative<2>(f, x)));
static_assert(cr::same(cr::derivative(cr::vector(f, x), name_of_x)[1_c], 1_c));
static_assert(cr::taylor(f, name_of_x, two)(point) == cr::taylor<2>(f, x)(point));
static_assert(std::is_same_v<decltype(cr::wrt(name_of_x, y)), decltype(cr::wrt(x, y))>);
static_assert(std::is_same_v<decltype(cr::wrt(hana::make_tuple(x, name_of_y))), decltype(cr::wrt(x, y))>);
static_assert(cr::gradient(f, name_of_y)(point)[y] == F.gradient(point)[1]);
static_assert(cr::function(f, cr::wrt(name_of_x, name_of_y)).hessian(point) == F.hessian(point));

// A constant is the integer.
static_assert(f(x = two, y = five) == f(x = 2, y = 5) && F(two, five) == F(2, 5));
static_assert(std::is_same_v<decltype(f(x = two, y = 5.0f)), decltype(f(x = 2, y = 5.0f))>);
static_assert(F.gradient(two, 5.0) == F.gradient(2.0, 5.0) && F.gradient(x = two, y = five) == F.gradient(2.0, 5.0));
static_assert(G.jacobian(two, five) == G.jacobian(2.0, 5.0));
static_assert(cr::newton(y * y - x, y, 1, x = hana::int_c<4>) == 2.0);
static_assert(cr::function(k * x, cr::wrt(x), cr::given(k = two))(3.0) == 6.0);
static_assert([] {
    auto changed = P;
    changed.set(k = five);
    return changed(two, five);
}() == 50.0);
static_assert(cr::same(cr::substitute(f, x = two), cr::substitute(f, x = 2_c))); // exact there

} // namespace
