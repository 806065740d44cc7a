// SPDX-License-Identifier: BSL-1.0
//
// llsq: linear least squares, the sign of t by a polynomial of t at n points between -1 and 1. Gradient with respect to
// its coefficients.
#pragma once

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

    void by_hand(numbers& result) const {
        result.assign(point.size(), 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            double rest = sign(t(i)), power = 1.0;
            for (const double x : point) {
                rest -= x * power;
                power *= t(i);
            }
            power = 1.0;
            for (double& slope : result) {
                slope -= rest * power;
                power *= t(i);
            }
        }
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
