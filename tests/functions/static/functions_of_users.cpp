// SPDX-License-Identifier: BSL-1.0
//
// Function templates of a program that bear names of the table: calls with expressions, dual and active numbers are not
// ambiguous.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <type_traits>

template <class T>
constexpr T square(const T& a) {
    return a * a;
}
template <class T>
constexpr T sigmoid(const T& a) {
    return 1 / (1 + exp(-a));
}

namespace {

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// Ours take expressions.
static_assert(cr::same(square(x * y), cr::square(x* y)) && cr::same(sigmoid(x), cr::sigmoid(x)));
// The program's take its numbers.
static_assert(square(3) == 9 && square(cr::dual<double>(3.0, {1.0})).tangents[0] == 6.0);

template <class T>
T generic(const T& a) {
    return square(a) + sigmoid(a * a) + square(a - 1);
}
[[maybe_unused]] double of_active_numbers() {
    cr::tape::tape tape;
    const cr::tape::active<double> a = tape.variable(2.0);
    return generic(a).value() + generic(cr::dual<double>(2.0)).value;
}

// Traced numbers beside exact constants, integral ones and numbers, in functions of several arguments.
using namespace cr::literals;
constexpr auto mixed = cr::function([](auto a, auto b) {
    return pow(a, 2_c) + atan2(1_c, b) + lerp(a, 2_c, b) + fma(1, a, b) + hypot(a, 2.0, b) + max(a, 3_c) +
           pow(a, std::integral_constant<int, 3>{});
});
static_assert(mixed.gradient(1.0, 2.0)[1] == -0.2 + 1.0 + 1.0 + 2.0 / 3.0);

} // namespace
