// SPDX-License-Identifier: BSL-1.0
//
// Products, maxima, minima and log_sum_exp over data, against loops.
#include "batch/loops.hpp"

namespace {

struct looped_product {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 1.0 + 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all = all * term{}(times[i], counts[i], p, q);
        return all;
    }
};

struct looped_log_sum_exp {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all += exp(term{}(times[i], counts[i], p, q));
        return log(all);
    }
};

struct looped_max {
    constexpr auto operator()(auto p, auto q) const {
        auto all = term{}(times[0], counts[0], p, q);
        for (std::size_t i = 1; i < rows; ++i) all = max(all, term{}(times[i], counts[i], p, q));
        return all;
    }
};

struct looped_min {
    constexpr auto operator()(auto p, auto q) const {
        auto all = term{}(times[0], counts[0], p, q);
        for (std::size_t i = 1; i < rows; ++i) all = min(all, term{}(times[i], counts[i], p, q));
        return all;
    }
};

} // namespace

TEST_CASE("products and log_sum_exp have the values and the derivatives of loops") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::prod(f, data, cr::wrt(a, b)), results_of<looped_product>());
    check_all(cr::log_sum_exp(f, data, cr::wrt(a, b)), results_of<looped_log_sum_exp>());
}

TEST_CASE("maxima and minima have the values and the derivatives of loops") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::max(f, data, cr::wrt(a, b)), results_of<looped_max>());
    check_all(cr::min(f, data, cr::wrt(a, b)), results_of<looped_min>());
}
