// SPDX-License-Identifier: BSL-1.0
//
// Archives in memory, for the tests of chainrule/tensor/files/archive.hpp.
#pragma once

#include <chainrule/tensor/files/archive.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

using namespace chainrule::tensor;
using bytes = std::vector<std::byte>;

/// The bytes of a .npz file, and the arrays in them.
inline bytes encoded(const archive& arrays) {
    bytes result;
    encode_npz(arrays, {"write_npz", "weights.npz"},
               [&](std::span<const std::byte> piece) { result.insert(result.end(), piece.begin(), piece.end()); });
    return result;
}
inline archive decoded(const bytes& file) { return decode_npz(file, {"read_npz", "weights.npz"}); }

/// An archive whose file is short.
inline archive small() {
    archive arrays;
    arrays.add("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, -6.5f});
    arrays.add("steps", {}, std::vector<std::int64_t>{12345678901234});
    arrays.add("mask", {3}, std::array<bool, 3>{true, false, true});
    return arrays;
}
