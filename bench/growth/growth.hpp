// SPDX-License-Identifier: BSL-1.0
//
// The measurements of how costs grow: each adds its rows.
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <vector>

#include "../comparison.hpp"

namespace growth {

void add_operations();
void add_variables();
void add_data();

inline constexpr double tolerance = 1e-11;

/// A value and a gradient as an answer.
template <class Gradient>
bench::answer answer_of(double value, const Gradient& gradient) {
    bench::answer all{{value}, 1, 1};
    all.numbers.insert(all.numbers.end(), gradient.begin(), gradient.end());
    return all;
}

/// Calls `compute` with the inputs, over and over.
template <class Inputs, class Compute>
auto repeated(const Inputs& inputs, Compute compute) {
    return [&inputs, compute](benchmark::State& state) {
        const Inputs* at = &inputs;
        for (auto step : state) {
            static_cast<void>(step);
            benchmark::DoNotOptimize(at);
            auto result = compute(*at);
            benchmark::DoNotOptimize(result);
        }
    };
}

} // namespace growth
