// SPDX-License-Identifier: BSL-1.0
//
// Random functions whose Hessians have tangents in vectors, and how they are compared.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

template <std::size_t N, class T = double>
constexpr std::array<T, N> a_point() {
    std::array<T, N> p{};
    for (std::size_t i = 0; i < N; ++i) p[i] = T(0.3) + T(i * i % 11) / T(8) - T(i) / T(64);
    return p;
}

template <class T, std::size_t N>
using square = std::array<std::array<T, N>, N>;

template <class T, std::size_t N, class Exact>
void check_entries(const square<T, N>& got, const Exact& exact) {
    long double scale = 0;
    for (const auto& row : exact)
        for (const long double entry : row) scale = std::max(scale, std::abs(entry));
    REQUIRE(scale > 1e-3L);
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            CAPTURE(i, j);
            CHECK(got[i][j] == got[j][i]);
            CHECK(std::abs(got[i][j] - exact[i][j]) <= 64 * std::numeric_limits<T>::epsilon() * scale);
        }
}

/// Random operations: all formulas, and functions that have tangents.
template <int Operations, unsigned Seed>
struct random_operations {
    template <class X>
    constexpr auto operator()(const X& x) const {
        unsigned dice = Seed;
        auto u = x[0] * 1.0, v = x[1] + 0.5, w = u * v;
        for (int i = 0; i < Operations; ++i) {
            const auto next = x[static_cast<std::size_t>(i) % x.size()];
            const auto r = 1.0 + u * u;
            dice = dice * 1664525u + 1013904223u;
            switch ((dice >> 16) % 12) {
            case 0: v = sin(u * next) + cos(u * next) * w; break;
            case 1: v = exp(-(r * next * next)) - w; break;
            case 2: v = log(r) * next - v * w; break;
            case 3: v = sqrt(r) / (r + w * w); break;
            case 4: v = next / sqrt(r) - 0.3 * w; break;
            case 5: v = tanh(u - w * next); break;
            case 6: v = atan(v * next) + 0.25; break;
            case 7: v = log1p(w * w) - next * u; break;
            case 8: v = tan(0.2 * next) * w - u; break;
            case 9: v = cbrt(r) - next; break;
            case 10: v = exp2(0.1 * next) - log2(r) - log10(r + w * w); break;
            default: v = -(u * w) - 1.0 / (r + next * next); break;
            }
            const auto spare = u;
            u = w, w = 0.4 * v + 0.1 * next, v = spare;
        }
        return u * v + w;
    }
};
