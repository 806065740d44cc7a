// SPDX-License-Identifier: BSL-1.0
//
// Hundreds of variables as separate arguments, in each form of a call.
#include "../../many_variables.hpp"

#include <array>

namespace cr = chainrule;

constexpr auto f = cr::dot(q, q);
static_assert(with_many_named(f) == 4.0 * many);

constexpr auto F = with_many([](auto... v) { return cr::function(f, v...); });
static_assert(with_many_numbers(F) == 4.0 * many);
static_assert(with_many_named(F) == 4.0 * many);
static_assert(with_many_numbers([](auto... x) { return F.gradient(x...); })[many - 1] == 4.0);
static_assert(with_many_named([](auto... x) { return F.value_and_gradient(x...); }).gradient[many - 1] == 4.0);

// As parameters, bound, changed, and given other values in a call.
constexpr auto k = cr::variable<"k">;
constexpr auto bound = with_many_named([](auto... x) { return cr::function(k * f, k, cr::given(x...)); });
static_assert(bound(3.0) == 12.0 * many);
static_assert([] {
    auto changed = bound;
    with_many([&](auto... v) {
        changed.set((v = 1.0)...);
        return 0;
    });
    return changed(3.0);
}() == 3.0 * many);
static_assert(with_many([](auto... v) { return bound(k = 3.0, (v = 3)...); }) == 27.0 * many);

// Numbers of several types.
static_assert([]<std::size_t... I>(std::index_sequence<I...>) {
    const auto value = f((q.template get<I>() = std::conditional_t < I == 20, long double,
                          std::conditional_t < I % 2 == 0, int, float >> (2))...);
    return std::is_same_v<decltype(value), const long double> && value == 4.0L * many;
}(std::make_index_sequence<many>{}));

// Traced code.
constexpr auto traced = with_many([](auto... v) {
    return cr::function(
        [](const auto& x) {
            auto sum = x[0] * x[0];
            for (std::size_t i = 1; i < x.size(); ++i) sum += x[i] * x[i];
            return sum;
        },
        cr::wrt(v...));
});
static_assert(with_many_named(traced) == 4.0 * many && with_many_numbers(traced) == 4.0 * many);
