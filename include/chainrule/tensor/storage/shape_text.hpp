// SPDX-License-Identifier: BSL-1.0
//
// The text of a shape, as NumPy prints it.
#pragma once

#include <string>

namespace chainrule::tensor::storage {

/// The text of a list of sizes: (), (3,), (3, 4).
template <class Sizes>
[[nodiscard]] std::string shape_text(const Sizes& sizes) {
    std::string text = "(";
    for (const auto size : sizes) text.append(text.size() == 1 ? "" : ", ").append(std::to_string(size));
    return text.append(sizes.size() == 1 ? ",)" : ")");
}

} // namespace chainrule::tensor::storage
