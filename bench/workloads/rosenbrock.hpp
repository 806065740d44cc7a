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

    template <class T>
    static constexpr auto square(const auto& u) {
        return kept<T>(u * u);
    }

    template <class T>
    static constexpr auto valley(const auto& hundred, const auto& one, const auto& u, const auto& v) {
        return kept<T>(hundred * square<T>(v - u * u) + square<T>(one - u));
    }

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

        constexpr auto part = [](auto u, auto v) { return valley<expressions>(100_c, 1_c, u, v); };
        constexpr auto f = part(x0, x1) + part(x1, x2) + part(x2, x3) + part(x3, x4) + part(x4, x5) + part(x5, x6) +
                           part(x6, x7) + part(x7, x8) + part(x8, x9);
        return cr::function(f, cr::wrt(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9));
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        T sum(0.0);
        for (std::size_t i = 0; i < 9; ++i) sum += valley<T>(100.0, 1.0, x[i], x[i + 1]);
        return sum;
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
