// SPDX-License-Identifier: BSL-1.0
//
// W3: the Black-Scholes price of a call and its five first derivatives (the greeks delta, dual delta, rho, vega, minus
// theta). by_hand uses the identity spot*phi(d1) = strike*discount*phi(d2), which saves an exp and several terms.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

struct black_scholes {
    static constexpr auto name = "Black-Scholes call, five greeks";
    static constexpr point<5> at = {100.0, 105.0, 0.03, 0.25, 0.75};
    using data = no_data;

    template <class T>
    static constexpr auto formula(const auto& half, const auto& two, const auto& spot, const auto& strike,
                                  const auto& rate, const auto& volatility, const auto& time) {
        using std::erfc, std::exp, std::log, std::sqrt;
        const auto normal_cdf = [&](const auto& u) { return kept<T>(half * erfc(-u / sqrt(two))); };
        const auto spread = kept<T>(volatility * sqrt(time));
        const auto drift = kept<T>(rate + half * volatility * volatility);
        const auto d1 = kept<T>((log(spot / strike) + drift * time) / spread);
        const auto d2 = kept<T>(d1 - spread);
        return kept<T>(spot * normal_cdf(d1) - strike * exp(-rate * time) * normal_cdf(d2));
    }

    static constexpr auto function(const data& = {}) {
        namespace cr = chainrule;
        using namespace cr::literals;
        constexpr auto spot = cr::variable<"spot">;
        constexpr auto strike = cr::variable<"strike">;
        constexpr auto rate = cr::variable<"rate">;
        constexpr auto volatility = cr::variable<"sigma">;
        constexpr auto time = cr::variable<"time">;
        return cr::function(formula<expressions>(0.5_c, 2_c, spot, strike, rate, volatility, time),
                            cr::wrt(spot, strike, rate, volatility, time));
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        return formula<T>(0.5, 2.0, x[0], x[1], x[2], x[3], x[4]);
    }

    static value_and_gradient<5> by_hand(const data&, const point<5>& p) {
        constexpr double root_half = 0.70710678118654752440;        // sqrt(1/2)
        constexpr double over_root_two_pi = 0.39894228040143267794; // 1/sqrt(2 pi)
        const double spot = p[0], strike = p[1], rate = p[2], volatility = p[3], time = p[4];

        const double root = std::sqrt(time);
        const double spread = volatility * root;
        const double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / spread;
        const double d2 = d1 - spread;
        const double cdf1 = 0.5 * std::erfc(-root_half * d1);
        const double cdf2 = 0.5 * std::erfc(-root_half * d2);
        const double discount = std::exp(-rate * time);
        const double discount_cdf2 = discount * cdf2;
        const double paid = strike * discount_cdf2;

        // spot * density of d1 = strike * discount * density of d2, so that the terms by d1 and d2 are one, by the
        // spread.
        const double d_spread = over_root_two_pi * spot * std::exp(-0.5 * d1 * d1);
        return {spot * cdf1 - paid,
                {cdf1, -discount_cdf2, paid * time, d_spread * root, 0.5 * d_spread * volatility / root + paid * rate}};
    }
};

} // namespace workloads
