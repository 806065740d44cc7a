// SPDX-License-Identifier: BSL-1.0
//
// lse: the logarithm of a sum of exponentials, the greatest number subtracted first, and its gradient.
#pragma once

#include <algorithm>

#include "eval.hpp"

namespace gradbench {

struct lse {
    static constexpr auto name = "lse";
    /// Where x is greatest, derivatives of this size cancel.
    static constexpr double cancels = 1.0;
    numbers point;

    static lse of_size(std::size_t n) { return {random_numbers(n)}; }
    static lse read(std::istream& in) { return {read_numbers(in, read_size(in))}; }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        using std::exp, std::log;
        number_of<List> greatest = x[0], sum = 0.0;
        for (std::size_t i = 1; i < x.size(); ++i)
            if (greatest < x[i]) greatest = x[i];
        for (std::size_t i = 0; i < x.size(); ++i) sum += exp(x[i] - greatest);
        return number_of<List>(log(sum) + greatest);
    }

    void by_hand(numbers& result) const {
        result.resize(point.size());
        const double greatest = *std::max_element(point.begin(), point.end());
        double sum = 0.0;
        for (std::size_t i = 0; i < point.size(); ++i) sum += result[i] = std::exp(point[i] - greatest);
        const double over_sum = 1.0 / sum;
        for (double& x : result) x *= over_sum;
    }

    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
