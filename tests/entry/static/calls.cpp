// SPDX-License-Identifier: BSL-1.0
//
// Alternatives to wrt(...), and calls by name of positional functions.
#include <chainrule/chainrule.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto f = x * x * y;
constexpr auto F = cr::function(f);
static_assert(F(2.0, 5.0) == 20.0 && F(y = 5.0, x = 2.0) == 20.0 &&
              F.gradient(y = 5.0, x = 2.0) == std::array{20.0, 4.0});
static_assert(F.hessian(y = 5.0, x = 2.0)[0][1] == 4.0 && F.value_and_gradient(x = 2.0, y = 5.0).value == 20.0);
constexpr auto Fyx = cr::function(f, y, x);
static_assert(Fyx(5.0, 2.0) == 20.0 && Fyx.gradient(x = 2.0, y = 5.0) == std::array{4.0, 20.0});
constexpr auto P = cr::function(k * f, x, y, cr::given(k = 3.0));
static_assert(P(2.0, 5.0) == 60.0 && P(x = 2.0, y = 5.0) == 60.0 && P(k = 2.0, y = 5.0, x = 2.0) == 40.0);
constexpr auto Q = cr::function(k * f, cr::given(k = 3.0));
static_assert(Q(2.0, 5.0) == 60.0);
constexpr auto R = cr::function(k * f, cr::wrt(x, y));
static_assert(R(x = 2.0, y = 5.0, k = 2.0) == 40.0 && R.gradient(x = 2.0, y = 5.0, k = 2.0)[1] == 8.0);
static_assert(cr::gradient(f, x)(x = 2.0, y = 5.0)[x] == 20.0);
static_assert(cr::gradient(f, y, x)(x = 2.0, y = 5.0).values == std::array{4.0, 20.0});
static_assert(cr::hessian(f, x)(x = 2.0, y = 5.0)(x, x) == 10.0);
static_assert(cr::jacobian(f, x)(x = 2.0, y = 5.0)[0][x] == 20.0);
static_assert(cr::jacobian(cr::vector(f, x))(x = 2.0, y = 5.0)[1][x] == 1.0);
static_assert(cr::jacobian(cr::vector(f, x), y, x)(x = 2.0, y = 5.0)[0][y] == 4.0);
static_assert(cr::value_and_gradient(f, x)(x = 2.0, y = 5.0).value == 20.0);
static_assert(cr::same(cr::derivative(cr::vector(f, x), y)[0_c], x* x));
static_assert(P.jvp(std::array{2.0, 5.0}, std::array{1.0, 0.0}) == 60.0);
constexpr auto v = cr::variables<"v", 2>;
constexpr auto D = cr::function(dot(v, v) * k, v, k);
static_assert(D(1.0, 2.0, 3.0) == 15.0 && D(v[0_c] = 1.0, v[1_c] = 2.0, k = 3.0) == 15.0);
static_assert(cr::function(2.0, x)(1.0) == 2.0);
static_assert(std::is_same_v<decltype(F(x = 1.0f, y = 2)), double> &&
              std::is_same_v<decltype(F(x = 1.0f, y = 2.0f)), float>);

// A failing text_is shows both texts: tests/errors/another_text.cpp.
static_assert(cr::text_is<"1 / x + y">(cr::derivative(log(x) + x * y - sin(y), x)));
static_assert(cr::text_is<"x > 0">(x > 0) && cr::text_is<"2.5 * x">(2.5 * x) && !cr::text_is<"x">(2.5 * x));
static_assert("f = " + cr::to_string(f) == "f = x * x * y" && cr::to_string(f) + "!" == "x * x * y!");
static_assert(cr::to_string(f) + cr::to_string(x) == "x * x * yx");

// A point in braces.
constexpr auto V = cr::function(cr::vector(x * y, x), x, y);
static_assert(F({2.0, 5.0}) == 20.0 && F.gradient({2.0, 5.0}) == std::array{20.0, 4.0} &&
              F.hessian({2.0, 5.0})[0][1] == 4.0);
static_assert(F.value_and_gradient({2.0, 5.0}).value == 20.0 && F.value_gradient_and_hessian({2.0, 5.0}).value == 20.0);
static_assert(F.jvp({2.0, 5.0}, {1.0, 0.0}) == 20.0 && F.hvp({2.0, 5.0}, {0.0, 1.0}) == std::array{4.0, 0.0});
static_assert(F.third_derivatives({2.0, 5.0})[0][0][1] == 2.0 && F.sparse_hessian({2.0, 5.0}).size() == 3);
static_assert(V({2.0, 5.0}) == std::array{10.0, 2.0} && V.jacobian({2.0, 5.0})[0][1] == 2.0);
static_assert(V.value_and_jacobian({2.0, 5.0}).jacobian[0][0] == 5.0 && V.sparse_jacobian({2.0, 5.0}).size() == 3);
static_assert(V.vjp({2.0, 5.0}, {1.0, 1.0}) == std::array{6.0, 2.0} &&
              V.lagrangian_hessian({2.0, 5.0}, {3.0, 1.0})[0][1] == 3.0);
static_assert(std::is_same_v<decltype(F({2.0F, 5.0F})), float> && cr::function(x * x, x)({3.0}) == 9.0);

// Values of variables that do not occur are ignored.
constexpr auto other = cr::variable<"other">;
static_assert(cr::derivative(x * y, x)(x = 2.0, y = 5.0) == 5.0 &&
              cr::derivative(x * y, x)(other = 1.0, y = 5.0) == 5.0);
static_assert(F(x = 2.0, other = 7.0, y = 5.0) == 20.0 &&
              F.gradient(other = 7.0, x = 2.0, y = 5.0) == std::array{20.0, 4.0});
static_assert(cr::gradient(x * y)(x = 2.0, other = 1.0, y = 5.0)[x] == 5.0 &&
              cr::gradient(x * y, y)(x = 2.0, y = 5.0, other = 1.0)[y] == 2.0);
static_assert(cr::hessian(f)(x = 2.0, y = 5.0, other = 1.0)(x, y) == 4.0 &&
              P(k = 2.0, y = 5.0, other = 3.0, x = 2.0) == 40.0);
static_assert(cr::vector(x, 2_c)(x = 2.0, y = 5.0) == std::array{2.0, 2.0} && (2_c * 3_c)(x = 2.0) == 6.0);

} // namespace
