// SPDX-License-Identifier: BSL-1.0
//
// llsq: linear least squares, the sign of t by a polynomial of t at n points between -1 and 1. Gradient with respect to
// its coefficients.
#pragma once

#include <algorithm>
#include <array>

#include "eval.hpp"

namespace gradbench {

struct llsq {
    static constexpr auto name = "llsq";
    std::size_t n;
    numbers point;

    static llsq of_size(std::size_t n) { return {n, random_numbers(128)}; }
    static llsq read(std::istream& in) {
        const std::size_t n = read_size(in);
        return {n, read_numbers(in, read_size(in))};
    }

    [[nodiscard]] double t(std::size_t i) const {
        return -1.0 + 2.0 * static_cast<double>(i) / (static_cast<double>(n) - 1.0);
    }
    [[nodiscard]] static double sign(double t) { return t > 0.0 ? 1.0 : t < 0.0 ? -1.0 : 0.0; }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        number_of<List> sum = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            number_of<List> rest = sign(t(i));
            double power = 1.0;
            for (std::size_t j = 0; j < x.size(); ++j) {
                rest -= x[j] * power;
                power *= t(i);
            }
            sum += rest * rest;
        }
        return number_of<List>(0.5 * sum);
    }

    /// Eight points at once, whose sums and powers do not wait for one another.
    void by_hand(numbers& result) const {
        constexpr std::size_t lanes = 8;
        using row = std::array<double, lanes>;
        std::vector<row> sums(point.size(), row{});
        for (std::size_t i = 0; i < n; i += lanes) {
            row at{}, rest{}, power{};
            for (std::size_t l = 0; l < std::min(lanes, n - i); ++l) {
                at[l] = t(i + l);
                rest[l] = sign(at[l]);
                power[l] = 1.0;
            }
            const row one = power; // 0 behind the last point
            for (const double x : point)
                for (std::size_t l = 0; l < lanes; ++l) {
                    rest[l] -= x * power[l];
                    power[l] *= at[l];
                }
            power = one;
            for (row& sum : sums)
                for (std::size_t l = 0; l < lanes; ++l) {
                    sum[l] -= rest[l] * power[l];
                    power[l] *= at[l];
                }
        }
        result.assign(point.size(), 0.0);
        for (std::size_t j = 0; j < result.size(); ++j)
            for (const double part : sums[j]) result[j] += part;
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
