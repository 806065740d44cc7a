// SPDX-License-Identifier: BSL-1.0
//
// A hash as 16 hexadecimal digits, for checksums in files and names of files.
#pragma once

#include <chainrule/core/hash.hpp>

#include <string>

namespace chainrule::tape {

[[nodiscard]] inline std::string text_of_hash(core::hash_value hash) {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
    return digits;
}

} // namespace chainrule::tape
