// SPDX-License-Identifier: BSL-1.0
//
// W1: log(x) + x*y - sin(y), value and gradient. The smallest job: three library calls and nothing to hide behind.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

struct log_product_sine {
    static constexpr auto name = "log(x) + x*y - sin(y)";
    static constexpr point<2> at = {2.0, 5.0};
    using data = no_data;

    template <class T>
    static constexpr auto formula(const auto& x, const auto& y) {
        using std::log, std::sin;
        return kept<T>(log(x) + x * y - sin(y));
    }

    static constexpr auto function(const data& = {}) {
        namespace cr = chainrule;
        constexpr auto x = cr::variable<"x">;
        constexpr auto y = cr::variable<"y">;
        return cr::function(formula<expressions>(x, y), cr::wrt(x, y));
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        return formula<T>(x[0], x[1]);
    }

    static value_and_gradient<2> by_hand(const data&, const point<2>& p) {
        const double x = p[0], y = p[1];
        double sine, cosine;
        sine_and_cosine(y, sine, cosine);
        return {std::log(x) + x * y - sine, {1.0 / x + y, x - cosine}};
    }
};

} // namespace workloads
