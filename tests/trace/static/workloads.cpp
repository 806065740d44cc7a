// SPDX-License-Identifier: BSL-1.0
//
// The workloads of bench/ as traced code, with plain literals, loops and arrays: their programs for the value, and for
// the value and all first derivatives, are those of the expressions with exact constants, instruction for instruction.
// (The others, loops over much data and minors by recursion, have no expression.)
#include "../../same_program.hpp"

#include "../../../bench/workloads/black_scholes.hpp"
#include "../../../bench/workloads/determinant.hpp"
#include "../../../bench/workloads/helmholtz.hpp"
#include "../../../bench/workloads/log_product_sine.hpp"
#include "../../../bench/workloads/mixed_operations.hpp"
#include "../../../bench/workloads/reprojection.hpp"
#include "../../../bench/workloads/rosenbrock.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

template <class F, class G>
constexpr bool same_value_and_derivatives(const F& traced, const G& typed) {
    using namespace cr::request;
    constexpr unsigned both = values | jacobians;
    return same_program<values>(traced, typed) && same_program<both>(traced, typed);
}

constexpr auto log_product_sine = cr::function([](auto x, auto y) { return log(x) + x * y - sin(y); });
static_assert(same_value_and_derivatives(log_product_sine, workloads::log_product_sine::function()));

// Roots of constants, from two workloads. In traced code sqrt(T(2)) is an operation, as in an expression, but
// 1 + sqrt(T(2)) is a double, as is all further arithmetic of literals alone.
struct roots_of_literals {
    template <class T>
    static constexpr T over_root_two(const T& u) {
        return u / sqrt(T(2));
    }
    template <class T>
    static constexpr T times_root_eight(const T& u) {
        return sqrt(T(8)) * u;
    }
    template <class T>
    static constexpr T ratio(const T& u) {
        return (1 + (1 + sqrt(T(2))) * u) / (1 + (1 - sqrt(T(2))) * u);
    }
};
struct roots_of_expressions {
    static constexpr auto u = cr::variable<"u">;
    static constexpr auto over_root_two = [](auto at) { return (u / sqrt(2_c))(u = at); };
    static constexpr auto times_root_eight = [](auto at) { return (sqrt(8_c) * u)(u = at); };
    static constexpr auto ratio = [](auto at) {
        return ((1_c + (1_c + sqrt(2_c)) * u) / (1_c + (1_c - sqrt(2_c)) * u))(u = at);
    };
};

/// Whether the typed function takes `more` operations more, for its value and with its derivatives.
template <class F, class G>
constexpr bool more_operations(const F& traced, const G& typed, int more) {
    using namespace cr::request;
    constexpr unsigned both = values | jacobians;
    return cr::operation_count<values>(traced).total + more == cr::operation_count<values>(typed).total &&
           cr::operation_count<both>(traced).total + more == cr::operation_count<both>(typed).total;
}

template <class Roots>
constexpr auto black_scholes = cr::function([](auto spot, auto strike, auto rate, auto volatility, auto time) {
    using T = decltype(spot);
    const auto normal_cdf = [](T u) { return 0.5 * erfc(Roots::over_root_two(-u)); };
    const T spread = volatility * sqrt(time);
    const T drift = rate + 0.5 * volatility * volatility;
    const T d1 = (log(spot / strike) + drift * time) / spread;
    const T d2 = d1 - spread;
    return spot * normal_cdf(d1) - strike * exp(-rate * time) * normal_cdf(d2);
});
static_assert(same_value_and_derivatives(black_scholes<roots_of_expressions>, workloads::black_scholes::function()));
static_assert(same_value_and_derivatives(black_scholes<roots_of_literals>, workloads::black_scholes::function()));

constexpr auto rosenbrock = cr::function<10>([]<class T>(const std::array<T, 10>& x) {
    const auto valley = [](T u, T v) {
        const T rise = v - u * u, rest = 1.0 - u;
        return 100.0 * (rise * rise) + rest * rest;
    };
    T sum = valley(x[0], x[1]);
    for (std::size_t i = 1; i + 1 < x.size(); ++i) sum += valley(x[i], x[i + 1]);
    return sum;
});
static_assert(same_value_and_derivatives(rosenbrock, workloads::rosenbrock::function()));

template <class Roots>
constexpr auto helmholtz = cr::function<10>([]<class T>(const std::array<T, 10>& x) {
    const auto dot = [&x](const auto& weights) {
        T sum = weights[0] * x[0];
        for (std::size_t i = 1; i < x.size(); ++i) sum += weights[i] * x[i];
        return sum;
    };
    const T bx = dot(workloads::covolume);
    T mixing = x[0] * log(x[0] / (1 - bx));
    std::array<T, 10> rows;
    for (std::size_t i = 1; i < x.size(); ++i) mixing += x[i] * log(x[i] / (1 - bx));
    for (std::size_t i = 0; i < x.size(); ++i) rows[i] = dot(workloads::interaction[i]);
    return 2.479 * mixing - dot(rows) / Roots::times_root_eight(bx) * log(Roots::ratio(bx));
});
static_assert(same_value_and_derivatives(helmholtz<roots_of_expressions>, workloads::helmholtz_exact::function()));
// sqrt(2), 1 + sqrt(2) and 1 - sqrt(2).
static_assert(more_operations(helmholtz<roots_of_literals>, workloads::helmholtz_exact::function(), 3));

// Code that exists: the template from which the benchmark makes its expression, for the number type of traces.
constexpr auto mixed_operations =
    cr::function([](auto a, auto b, auto c, auto d, auto p, auto q, auto r, auto s, auto u, auto v, auto w, auto z) {
        return workloads::mixed_operations::formula<decltype(a)>(1.0, 0.5, a, b, c, d, p, q, r, s, u, v, w, z);
    });
static_assert(same_value_and_derivatives(mixed_operations, workloads::mixed_operations::function()));

struct reprojection {
    template <class T>
    constexpr void operator()(const T* x, T* error) const {
        const auto together = [error](const T& error_x, const T& error_y) {
            error[0] = error_x;
            error[1] = error_y;
        };
        workloads::reprojection::formula<T>(0.37, 0.52, together, 1.0, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7],
                                            x[8], x[9], x[10], x[11], x[12], x[13], x[14]);
    }
};
static_assert(same_value_and_derivatives(cr::function<cr::inputs<15>>(reprojection{}),
                                         workloads::reprojection::function_of(0.37_c, 0.52_c)));

constexpr auto determinant_of_four = cr::function<16>([](const auto& x) {
    const auto minor = [&](std::size_t row, std::size_t i, std::size_t j) {
        return x[4 * row + i] * x[4 * row + 4 + j] - x[4 * row + j] * x[4 * row + 4 + i];
    };
    return minor(0, 0, 1) * minor(2, 2, 3) - minor(0, 0, 2) * minor(2, 1, 3) + minor(0, 0, 3) * minor(2, 1, 2) +
           minor(0, 1, 2) * minor(2, 0, 3) - minor(0, 1, 3) * minor(2, 0, 2) + minor(0, 2, 3) * minor(2, 0, 1);
});
static_assert(same_value_and_derivatives(determinant_of_four, workloads::determinant_of_four::function()));

// One step of the thousand.
constexpr auto lorenz_96 = cr::function<10>([]<class T>(const std::array<T, 10>& start) {
    using state = std::array<T, 10>;
    const auto slope = [](const state& x) {
        state dx;
        for (std::size_t i = 0; i < 10; ++i) dx[i] = (x[(i + 1) % 10] - x[(i + 8) % 10]) * x[(i + 9) % 10] - x[i] + 8.0;
        return dx;
    };
    const auto moved = [&start](double by, const state& k) {
        state y;
        for (std::size_t i = 0; i < 10; ++i) y[i] = start[i] + by * k[i];
        return y;
    };
    const double step = 0.001;
    const state k1 = slope(start), k2 = slope(moved(0.5 * step, k1));
    const state k3 = slope(moved(0.5 * step, k2)), k4 = slope(moved(step, k3));
    state x = start;
    for (std::size_t i = 0; i < 10; ++i) x[i] += step * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0;
    T energy = x[0] * x[0];
    for (std::size_t i = 1; i < 10; ++i) energy += x[i] * x[i];
    return 0.5 * energy;
});
constexpr auto lorenz_96_expression = []<std::size_t... I>(std::index_sequence<I...>) {
    using std::get;
    constexpr auto inputs = cr::variables<"x", 10>;
    const auto slope = [](const auto& x) {
        return std::tuple{((get<(I + 1) % 10>(x) - get<(I + 8) % 10>(x)) * get<(I + 9) % 10>(x) - get<I>(x) + 8_c)...};
    };
    const auto start = std::tuple{inputs.template get<I>()...};
    const auto moved = [&](auto by, const auto& k) { return std::tuple{(get<I>(start) + by * get<I>(k))...}; };
    const auto k1 = slope(start);
    const auto k2 = slope(moved(0.0005_c, k1));
    const auto k3 = slope(moved(0.0005_c, k2));
    const auto k4 = slope(moved(0.001_c, k3));
    const auto x =
        std::tuple{(get<I>(start) + 0.001_c * (get<I>(k1) + 2_c * (get<I>(k2) + get<I>(k3)) + get<I>(k4)) / 6_c)...};
    return cr::function(0.5_c * (... + (get<I>(x) * get<I>(x))), cr::wrt(inputs));
}(std::make_index_sequence<10>{});
static_assert(same_value_and_derivatives(lorenz_96, lorenz_96_expression));

} // namespace
