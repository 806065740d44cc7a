// SPDX-License-Identifier: BSL-1.0
//
// The Helmholtz energy in any number of variables, to see how costs grow with it: what helmholtz.hpp has for ten, but
// for its loops, which are not unrolled.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

template <std::size_t N>
struct helmholtz_of {
    static constexpr auto name = "Helmholtz";
    static constexpr point<N> at = [] {
        seeded random(6);
        point<N> p{};
        for (double& x : p) x = random.between(0.2, 0.6) * 10.0 / static_cast<double>(N + 8);
        return p;
    }();
    static constexpr double rt = 2.479;
    static constexpr std::array<double, N> covolume = [] {
        seeded random(7);
        std::array<double, N> all{};
        for (double& b : all) b = random.between(0.02, 0.06);
        return all;
    }();
    /// The matrix, which is symmetric, but nothing says so.
    struct data {
        std::array<std::array<double, N>, N> a{};

        constexpr data() {
            seeded random(8);
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = 0; j <= i; ++j) a[i][j] = a[j][i] = random.between(0.1, 1.0);
        }
    };

    /// Products of numbers and the variables, added from the left.
    static constexpr auto weighted(const std::array<double, N>& weights) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (... + (weights[I] * chainrule::variables<"x", int{N}>.template get<I>()));
        }(std::make_index_sequence<N>{});
    }
    static constexpr auto covolume_sum = weighted(covolume);

    /// The energy as an expression of the variables and the quadratic form x'Ax.
    static constexpr auto energy(const auto& form) {
        namespace cr = chainrule;
        using namespace cr::literals;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            constexpr auto x = cr::variables<"x", int{N}>;
            constexpr auto bx = cr::exact<covolume_sum>;
            constexpr auto mixing = (... + (x.template get<I>() * log(x.template get<I>() / (1_c - bx))));
            constexpr auto ratio = (1_c + (1_c + sqrt(2_c)) * bx) / (1_c + (1_c - sqrt(2_c)) * bx);
            return 2.479_c * mixing - form / (sqrt(8_c) * bx) * log(ratio);
        }(std::make_index_sequence<N>{});
    }

    /// All of it as one expression.
    static constexpr auto function(const data& d) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            constexpr auto x = chainrule::variables<"x", int{N}>;
            return chainrule::function(energy((... + (x.template get<I>() * weighted(d.a[I])))), chainrule::wrt(x));
        }(std::make_index_sequence<N>{});
    }

    /// Ax and Ax + A'x by loops; returns x'Ax. Of long rows eight sums, which are vectors.
    static double products(const data& d, const point<N>& x, std::array<double, N>& doubled) {
        constexpr std::size_t sums = N < 24 ? 1 : 8;
        std::array<double, N> transposed{};
        double form = 0.0;
        for (std::size_t i = 0; i < N; ++i) {
            std::array<double, sums> parts{};
            std::size_t j = 0;
            for (; j + sums <= N; j += sums)
                for (std::size_t l = 0; l < sums; ++l) {
                    parts[l] += d.a[i][j + l] * x[j + l];
                    transposed[j + l] += d.a[i][j + l] * x[i];
                }
            double row = 0.0;
            for (const double part : parts) row += part;
            for (; j < N; ++j) {
                row += d.a[i][j] * x[j];
                transposed[j] += d.a[i][j] * x[i];
            }
            form += x[i] * row;
            doubled[i] = row;
        }
        for (std::size_t i = 0; i < N; ++i) doubled[i] += transposed[i];
        return form;
    }

    /// The quadratic form by loops, the rest as an expression of it.
    static value_and_gradient<N> with_loops(const data& d, const point<N>& x) {
        namespace cr = chainrule;
        constexpr auto form = cr::variable<"form">;
        constexpr auto rest = cr::function(energy(form), cr::wrt(cr::variables<"x", int{N}>, form));
        value_and_gradient<N> result;
        const auto [value, gradient] = rest.value_and_gradient(x, products(d, x, result.gradient));
        result.value = value;
        for (std::size_t i = 0; i < N; ++i) result.gradient[i] = gradient[i] + gradient[N] * result.gradient[i];
        return result;
    }

    template <class T>
    static T ordinary(const data& d, const T* x) {
        using std::log;
        const double root_two = 1.41421356237309504880, root_eight = 2.82842712474619009760;
        T bx = covolume[0] * x[0];
        for (std::size_t i = 1; i < N; ++i) bx += covolume[i] * x[i];
        T mixing = x[0] * log(x[0] / (1.0 - bx));
        for (std::size_t i = 1; i < N; ++i) mixing += x[i] * log(x[i] / (1.0 - bx));
        T form = 0.0;
        for (std::size_t i = 0; i < N; ++i) {
            T row = d.a[i][0] * x[0];
            for (std::size_t j = 1; j < N; ++j) row += d.a[i][j] * x[j];
            form += x[i] * row;
        }
        return T(rt * mixing -
                 form / (root_eight * bx) * log((1.0 + (1.0 + root_two) * bx) / (1.0 + (1.0 - root_two) * bx)));
    }

    static value_and_gradient<N> by_hand(const data& d, const point<N>& x) {
        constexpr double root_eight = 2.82842712474619009760;
        constexpr double one_plus_root_two = 2.41421356237309504880;
        constexpr double one_minus_root_two = -0.41421356237309504880;
        double bx = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < N; ++i) {
            bx += covolume[i] * x[i];
            sum += x[i];
        }
        const double over_free = 1.0 / (1.0 - bx);
        const double over_bx = 1.0 / bx;
        const double above = 1.0 + one_plus_root_two * bx;
        const double over_below = 1.0 / (1.0 + one_minus_root_two * bx);
        const double attraction = (1.0 / root_eight) * over_bx * std::log(above * over_below);
        const double d_attraction = over_bx * (one_plus_root_two / root_eight / above -
                                               one_minus_root_two / root_eight * over_below - attraction);
        value_and_gradient<N> result;
        std::array<double, N> doubled;
        const double form = products(d, x, doubled);
        const double d_bx = rt * over_free * sum - form * d_attraction;
        double mixing = 0.0;
        for (std::size_t i = 0; i < N; ++i) {
            const double logarithm = std::log(x[i] * over_free);
            mixing += x[i] * logarithm;
            result.gradient[i] = rt * logarithm + (covolume[i] * d_bx + rt) - attraction * doubled[i];
        }
        result.value = rt * mixing - form * attraction;
        return result;
    }
};

} // namespace workloads
