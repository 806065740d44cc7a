// SPDX-License-Identifier: BSL-1.0
//
// Points in parts in constant expressions, and functions of vectors and expressions.
#include <chainrule/chainrule.hpp>

#include <array>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto q = cr::variables<"q", 3>;
constexpr auto t = cr::variable<"t">;
constexpr auto p = cr::variables<"p", 2>;
constexpr auto F = cr::function(dot(q, q) * t * p[0_c] / p[1_c], q, t, p);
constexpr std::array<double, 3> a = {1.0, 2.0, 3.0};
constexpr std::array<double, 2> b = {4.0, 2.0};

static_assert(F(a, 0.5, b) == 14.0);
static_assert(F.gradient(a, 0.5, b) == std::array{2.0, 4.0, 6.0, 28.0, 3.5, -7.0});
static_assert(F(1.0, 2.0, 3.0, 0.5, b) == 14.0);

// A range begins and ends with a vector of variables, or with a variable that belongs to none.
template <class... Part>
constexpr bool fit = cr::detail::fitted_parts<decltype(F)::variables_list, Part...>().fit;
template <std::size_t Size>
using numbers = std::array<double, Size>;
static_assert(fit<numbers<3>, double, numbers<2>> && fit<numbers<4>, numbers<2>> && fit<numbers<3>, numbers<3>>);
static_assert(fit<numbers<6>> && fit<numbers<3>, double, std::initializer_list<double>>);
static_assert(fit<double, double, double, double, numbers<2>>);
static_assert(!fit<numbers<2>, double, double, numbers<2>> && !fit<double, numbers<2>, double, numbers<2>>);
static_assert(!fit<numbers<2>, double, numbers<3>> && !fit<numbers<5>, double> && !fit<double, numbers<5>>);
static_assert(!fit<numbers<3>, double> && !fit<numbers<3>, double, numbers<2>, double>);
static_assert(!fit<numbers<3>, double, numbers<3>>);
// Two vectors of variables, one after another, are not one.
constexpr auto of_two = cr::function(dot(p, p) + dot(q, q), cr::wrt(p, q));
static_assert(of_two(b, a) == 34.0);
static_assert(!cr::detail::fitted_parts<decltype(of_two)::variables_list, numbers<3>, numbers<2>>().fit);
constexpr auto first_link = cr::variables<"link[0]", 2>;
constexpr auto second_link = cr::variables<"link[1]", 2>;
constexpr auto of_links = cr::function(dot(first_link, second_link), cr::wrt(first_link, second_link));
static_assert(of_links(numbers<2>{1.0, 2.0}, numbers<2>{3.0, 4.0}) == 11.0);
// Nor are the elements of one in another order.
constexpr auto turned = cr::function(q[0_c] - q[1_c] * q[2_c], cr::wrt(q[2_c], q[0_c], q[1_c]));
static_assert(turned(3.0, numbers<2>{1.0, 2.0}) == -5.0 && turned(numbers<1>{3.0}, numbers<2>{1.0, 2.0}) == -5.0);

// Expressions and vectors of them.
static_assert(cr::same(F(q, t, p), F.expression()));
static_assert(cr::same(F(2_c * q, t, cr::vector(t, 3_c)), dot(2_c * q, 2_c * q) * t * t / 3_c));
static_assert(F(q, 0.5, p)(q = a, p = b) == 14.0);
constexpr auto of_vectors = cr::function(cr::vector(q[0_c] * t, q[1_c] + t), q, t);
static_assert(cr::same(of_vectors(cr::vector(t, t, t), square(t))[1_c], t + square(t)));

} // namespace
