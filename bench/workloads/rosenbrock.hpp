// SPDX-License-Identifier: BSL-1.0
//
// W5a: Rosenbrock's valley, in ten variables and in any number of them: nothing but arithmetic, so that every
// instruction shows.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

template <std::size_t N>
struct rosenbrock_of {
    static constexpr point<N> at = [] {
        seeded random(5);
        point<N> p{};
        for (double& x : p) x = random.between(-1.5, 1.5);
        return p;
    }();
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
        using namespace chainrule::literals;
        constexpr auto x = chainrule::variables<"x", int{N}>;
        return [=]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::function(
                (... + valley<expressions>(100_c, 1_c, x.template get<I>(), x.template get<I + 1>())),
                chainrule::wrt(x));
        }(std::make_index_sequence<N - 1>{});
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        T sum(0.0);
        for (std::size_t i = 0; i + 1 < N; ++i) sum += valley<T>(100.0, 1.0, x[i], x[i + 1]);
        return sum;
    }

    static value_and_gradient<N> by_hand(const data&, const point<N>& x) {
        value_and_gradient<N> result;
        double value = -0.0, carried = -0.0; // adding to -0.0 is exact, so it costs nothing
#pragma GCC unroll 10
        for (std::size_t i = 0; i + 1 < N; ++i) {
            const double rise = x[i + 1] - x[i] * x[i];
            const double rest = 1.0 - x[i];
            const double slope = 200.0 * rise;
            value += 100.0 * (rise * rise) + rest * rest;
            result.gradient[i] = carried - 2.0 * (x[i] * slope + rest);
            carried = slope;
        }
        result.gradient[N - 1] = carried;
        result.value = value;
        return result;
    }
};

struct rosenbrock : rosenbrock_of<10> {
    static constexpr auto name = "Rosenbrock, n = 10";
    static constexpr point<10> at = {-1.2, 1.0, 0.7, -0.4, 1.3, 0.9, -0.8, 1.1, 0.2, 1.6};
};

/// The same, but the hand-written value is summed in another order, the factor 100 taken out of the sum: fewer
/// operations than any code that keeps the value as it was written.
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

} // namespace workloads
