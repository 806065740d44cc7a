// SPDX-License-Identifier: BSL-1.0
//
// A number with N tangents, as an expert writes it to get second derivatives from a hand-written gradient: no more than
// the operations that the workloads need, and loops that the compiler turns into SIMD code.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "results.hpp"

namespace workloads {

template <std::size_t N>
struct with_tangents {
    double value = 0.0;
    std::array<double, N> tangents{};

    with_tangents() = default;
    with_tangents(double plain) : value(plain) {}

    /// f of this number, by its value and derivative.
    [[gnu::always_inline]] with_tangents chained(double f, double slope) const {
        with_tangents result(f);
        for (std::size_t k = 0; k < N; ++k) result.tangents[k] = slope * tangents[k];
        return result;
    }
    /// f of two numbers, by its value and derivatives.
    [[gnu::always_inline]] static with_tangents chained(double f, const with_tangents& a, double by_a,
                                                        const with_tangents& b, double by_b) {
        with_tangents result(f);
        for (std::size_t k = 0; k < N; ++k) result.tangents[k] = by_a * a.tangents[k] + by_b * b.tangents[k];
        return result;
    }

    friend with_tangents operator-(const with_tangents& a) { return a.chained(-a.value, -1.0); }
    friend with_tangents operator+(const with_tangents& a, const with_tangents& b) {
        return chained(a.value + b.value, a, 1.0, b, 1.0);
    }
    friend with_tangents operator-(const with_tangents& a, const with_tangents& b) {
        return chained(a.value - b.value, a, 1.0, b, -1.0);
    }
    friend with_tangents operator*(const with_tangents& a, const with_tangents& b) {
        return chained(a.value * b.value, a, b.value, b, a.value);
    }
    friend with_tangents operator/(const with_tangents& a, const with_tangents& b) {
        const double reciprocal = 1.0 / b.value, quotient = a.value * reciprocal;
        return chained(quotient, a, reciprocal, b, -quotient * reciprocal);
    }
    friend with_tangents operator+(const with_tangents& a, double b) { return a.chained(a.value + b, 1.0); }
    friend with_tangents operator+(double a, const with_tangents& b) { return b + a; }
    friend with_tangents operator-(const with_tangents& a, double b) { return a.chained(a.value - b, 1.0); }
    friend with_tangents operator-(double a, const with_tangents& b) { return b.chained(a - b.value, -1.0); }
    friend with_tangents operator*(const with_tangents& a, double b) { return a.chained(a.value * b, b); }
    friend with_tangents operator*(double a, const with_tangents& b) { return b * a; }
    friend with_tangents operator/(double a, const with_tangents& b) {
        const double reciprocal = 1.0 / b.value, quotient = a * reciprocal;
        return b.chained(quotient, -quotient * reciprocal);
    }

    friend with_tangents exp(const with_tangents& a) {
        const double e = std::exp(a.value);
        return a.chained(e, e);
    }
    friend with_tangents log(const with_tangents& a) { return a.chained(std::log(a.value), 1.0 / a.value); }
    friend with_tangents sqrt(const with_tangents& a) {
        const double root = std::sqrt(a.value);
        return a.chained(root, 0.5 / root);
    }
    friend with_tangents tanh(const with_tangents& a) {
        const double t = std::tanh(a.value);
        return a.chained(t, 1.0 - t * t);
    }
    friend void sine_and_cosine(const with_tangents& angle, with_tangents& sine, with_tangents& cosine) {
        double s, c;
        workloads::sine_and_cosine(angle.value, s, c);
        sine = angle.chained(s, c);
        cosine = angle.chained(c, -s);
    }
};

/// A point whose tangents are the unit directions.
template <std::size_t N>
std::array<with_tangents<N>, N> with_unit_tangents(const point<N>& at) {
    std::array<with_tangents<N>, N> all;
    for (std::size_t i = 0; i < N; ++i) {
        all[i].value = at[i];
        all[i].tangents[i] = 1.0;
    }
    return all;
}

} // namespace workloads
