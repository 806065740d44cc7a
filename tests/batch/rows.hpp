// SPDX-License-Identifier: BSL-1.0
//
// The rows that tests of sums share.
#pragma once

#include <array>
#include <cstddef>

namespace sums {

constexpr std::size_t rows = 21; // whole registers and a rest, on every processor
constexpr std::array<double, rows> times = [] {
    std::array<double, rows> all{};
    for (std::size_t i = 0; i < rows; ++i) all[i] = 0.125 * static_cast<double>(i * i % 17) - 0.5;
    return all;
}();
constexpr std::array<double, rows> counts = [] {
    std::array<double, rows> all{};
    for (std::size_t i = 0; i < rows; ++i) all[i] = 0.25 + 0.0625 * static_cast<double>(i * 7 % 13);
    return all;
}();

} // namespace sums
