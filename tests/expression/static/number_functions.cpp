// SPDX-License-Identifier: BSL-1.0
//
// Functions of the table with numbers as arguments: qualified calls in templates, and no ambiguity with <cmath>.
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <cmath>

namespace {

namespace cr = chainrule;

template <class A, class B>
constexpr auto mixed(A a, B b) {
    return cr::relu(a) * cr::square(b) + cr::pow(a, 2) + cr::max(b, 0) + cr::clamp(a, 0.25, b) + cr::fma(a, b, 1.0f);
}
static_assert(mixed(2.0, 3.0) == 18.0 + 4.0 + 3.0 + 2.0 + 7.0);
static_assert(std::same_as<decltype(cr::square(2.0f)), float> && std::same_as<decltype(cr::pow(2.0f, 3)), float> &&
              std::same_as<decltype(cr::max(2.0f, 3.0)), double> &&
              std::same_as<decltype(cr::fma(1.0f, 2, 3.0L)), long double>);
// Integers alone give a double, as in <cmath>.
static_assert(cr::pow(2, 3) == 8.0 && cr::sqrt(4) == 2.0 && cr::inverse(4ull) == 0.25 && cr::fma(2, 3L, true) == 7.0 &&
              cr::max(2, 3u) == 3.0 && cr::clamp(short{7}, -1, 'a') == 7.0 && cr::sigmoid(0) == 0.5);
static_assert(std::same_as<decltype(cr::abs(-2)), double> && std::same_as<decltype(cr::digamma(2)), double>);
static_assert(cr::hypot(2, 3.0f, 6.0) == 7.0 && cr::hypot(2, 3, 6) == 7.0);

static_assert(cr::abs(-2.0L) == 2.0L && cr::select(true, 1.0, 2.0) == 1.0);

// The same template as an expression and as traced code.
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
static_assert(mixed(x, y)(x = 2.0, y = 3.0) == 34.0);
constexpr auto F = cr::function([](auto a, auto b) { return cr::select(a < b, mixed(a, b), cr::sin(a)); });
static_assert(F(2.0, 3.0) == 34.0 && F.gradient(2.0, 3.0)[0] == 9.0 + 4.0 + 1.0 + 3.0);
static_assert(F.gradient(2.0, 3.0)[1] == 12.0 + 1.0 + 2.0);

// A function of the table is one operation in traced code, not its formula.
static_assert(cr::operation_count<cr::request::values>(cr::function([](auto a) { return cr::sigmoid(a); })) ==
              cr::operation_count<cr::request::values>(cr::function([](auto a) { return sigmoid(a); })));

// With both namespaces in use, calls that were clear stay so.
[[maybe_unused]] double in_both_namespaces() {
    using namespace std;
    using namespace chainrule;
    return sqrt(2) + sqrt(2.0) + pow(2.0, 3) + pow(2, 3) + pow(2.0f, 3.0) + max(1.0, 2.0) + max(1, 2) +
           min(1.0f, 2.0f) + sin(2.0f) + hypot(1.0, 2.0, 3.0) + hypot(1.0f, 2.0) + clamp(1.0, 2.0, 3.0) +
           fmax(1.0, 2.0f) + abs(-2.0) + abs(-2) + round(2.5) + lerp(1.0, 2.0, 0.5) + fma(1.0, 2.0, 3) + atan2(1, 2.0) +
           exp2(3) + cbrt(8.0) + ldexp(1.0, 3) + fmod(5.0, 3) + copysign(1.0, -1) + logb(8.0) + remainder(5, 3.0) +
           hypot(2, 3, 6) + hypot(1.0, 2, 3.0f) + fmod(7, 4) + lerp(1, 3, 2) + fma(1, 2, 3) + tgamma(5) + ldexp(1, 3) +
           clamp(4, 1, 3);
}

} // namespace
