// SPDX-License-Identifier: BSL-1.0
//
// A class like std::mdspan over ten numbers, of any rank and reference.
#pragma once

#include <cstddef>

inline constexpr double ten_numbers[10] = {};

template <class Reference, std::size_t Rank>
struct span {
    using reference = Reference;
    static constexpr std::size_t rank() { return Rank; }
    const double* data_handle() const { return ten_numbers; }
    std::size_t extent(std::size_t d) const { return d == 0 ? 5 : 2; }
    std::size_t stride(std::size_t d) const { return d == 0 ? 2 : 1; }
};
