// SPDX-License-Identifier: BSL-1.0
//
// Numbers near the limits of double in traced code: what overflows is infinite, as at run time, and is not an overflow
// in a constant expression, which compilers refuse.
#include <chainrule/chainrule.hpp>

#include <limits>

namespace {

namespace cr = chainrule;
using limits = std::numeric_limits<double>;
constexpr double infinity = limits::infinity();

template <class Function>
constexpr bool has(const Function& f, double x, double value, double slope) {
    const auto r = f.value_and_gradient(x);
    return r.value == value && r.gradient[0] == slope;
}

// The limits themselves, as a running minimum starts with one.
constexpr auto least = cr::function([](auto a) {
    using std::min;
    decltype(a) best = std::numeric_limits<decltype(a)>::max();
    best = min(best, a * a);
    return min(best, a + 3.0);
});
static_assert(has(least, 2.0, 4.0, 4.0));
constexpr auto lowest = cr::function([](auto a) { return max(a, limits::lowest()) + a * limits::denorm_min(); });
static_assert(has(lowest, 2.0, 2.0, 1.0));
constexpr auto decimals = cr::function([](auto a) { return a * 1.7976931348623157e308 + a * 9.9e307; });
static_assert(has(decimals, 0.125, 0.125 * 1.7976931348623157e308 + 0.125 * 9.9e307, infinity));

// Products, reciprocals and sums of constants.
constexpr auto product = cr::function([](auto a) { return a * 1e300 * 1e10; });
static_assert(has(product, 1e-20, 1e-20 * 1e300 * 1e10, infinity));
constexpr auto reciprocal = cr::function([](auto a) { return a / 1e-320; });
static_assert(has(reciprocal, 1e-320, 1.0, infinity));
constexpr auto small = cr::function([](auto a) { return a * (a + limits::denorm_min()) * 1e-300; });
static_assert(has(small, 1.0, 1e-300, 2e-300));
constexpr auto opposite = cr::function([](auto a) { return a * 1e305 * 1e-10 - a * 1e295 + a / 1e305 * 1e305; });
static_assert(has(opposite, 1.0, 1.0 + (1.0 * 1e305 * 1e-10 - 1e295), 1.0));
constexpr auto squares = cr::function([](auto a) { return a * 1e200 * 1e200 * a; });
static_assert(squares(1e-250) == 1e-250 * 1e200 * 1e200 * 1e-250);
constexpr auto sum = cr::function([](auto a) { return (a + 1e308) + 1e308; });
static_assert(has(sum, -1.5e308, -1.5e308 + 1e308 + 1e308, 1.0));

// Numbers that are computed from constants alone, before they meet an argument.
constexpr auto half = cr::function([](auto a) { return a * decltype(a)(limits::max() * 0.5) + -limits::max(); });
static_assert(has(half, 0.5, limits::max() / 4 - limits::max(), limits::max() / 2));
constexpr auto alone = cr::function([](auto a) {
    using T = decltype(a);
    const T most = limits::max(), zero = 0;
    T growing = 1e305, whole = 0;
    for (int i = 0; i < 8; ++i) growing *= 10;
    whole += most;
    const T tenth = T(1e306) * 3 / 10, infinite = whole + most, undefined = growing - growing;
    const T numbers[] = {
        max(a, -most),        min(a, most * 0.5),      min(a, growing), max(a, 1 / -zero),
        max(a, -most - most), min(a, infinite / 1000), a * tenth,       select(undefined == 0, T(0), a)};
    T total = 0;
    for (const T& x : numbers) total += x;
    return total;
});
static_assert(alone(2.0) == 14 + 2 * (1e306 * 3 / 10));

} // namespace
