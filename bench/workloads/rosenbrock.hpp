// SPDX-License-Identifier: BSL-1.0
//
// W5a: Rosenbrock's valley in ten variables: nothing but arithmetic, so that every instruction shows.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

struct rosenbrock {
    static constexpr auto name = "Rosenbrock, n = 10";
    static constexpr point<10> at = {-1.2, 1.0, 0.7, -0.4, 1.3, 0.9, -0.8, 1.1, 0.2, 1.6};
    using data = no_data;

    static constexpr auto function(const data& = {}) {
        namespace cr = chainrule;
        using namespace cr::literals;
        constexpr auto x0 = cr::variable<"x0">;
        constexpr auto x1 = cr::variable<"x1">;
        constexpr auto x2 = cr::variable<"x2">;
        constexpr auto x3 = cr::variable<"x3">;
        constexpr auto x4 = cr::variable<"x4">;
        constexpr auto x5 = cr::variable<"x5">;
        constexpr auto x6 = cr::variable<"x6">;
        constexpr auto x7 = cr::variable<"x7">;
        constexpr auto x8 = cr::variable<"x8">;
        constexpr auto x9 = cr::variable<"x9">;

        constexpr auto square = [](auto u) { return u * u; };
        constexpr auto valley = [=](auto u, auto v) { return 100_c * square(v - u * u) + square(1_c - u); };
        constexpr auto f = valley(x0, x1) + valley(x1, x2) + valley(x2, x3) + valley(x3, x4) + valley(x4, x5) +
                           valley(x5, x6) + valley(x6, x7) + valley(x7, x8) + valley(x8, x9);
        return cr::function(f, cr::wrt(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9));
    }

    static value_and_gradient<10> by_hand(const data&, const point<10>& x) {
        value_and_gradient<10> result;
        double value = -0.0, carried = -0.0;  // adding to -0.0 is exact, so it costs nothing
#pragma GCC unroll 9
        for (std::size_t i = 0; i < 9; ++i) {
            const double rise = x[i + 1] - x[i] * x[i];
            const double rest = 1.0 - x[i];
            const double slope = 200.0 * rise;
            value += 100.0 * (rise * rise) + rest * rest;
            result.gradient[i] = carried - 2.0 * (x[i] * slope + rest);
            carried = slope;
        }
        result.gradient[9] = carried;
        result.value = value;
        return result;
    }
};

/// The same, but the hand-written value is summed in another order, the factor 100 taken out of the sum: fewer operations
/// than any code that keeps the value as it was written.
struct rosenbrock_reordered : rosenbrock {
    static constexpr auto name = "Rosenbrock, hand-written value reordered";

    static value_and_gradient<10> by_hand(const data&, const point<10>& x) {
        value_and_gradient<10> result;
        double rises = -0.0, rests = -0.0, carried = -0.0;
#pragma GCC unroll 9
        for (std::size_t i = 0; i < 9; ++i) {
            const double rise = x[i + 1] - x[i] * x[i];
            const double rest = 1.0 - x[i];
            const double slope = 200.0 * rise;
            rises += rise * rise;
            rests += rest * rest;
            result.gradient[i] = carried - 2.0 * (x[i] * slope + rest);
            carried = slope;
        }
        result.gradient[9] = carried;
        result.value = 100.0 * rises + rests;
        return result;
    }
};

}  // namespace workloads
