// SPDX-License-Identifier: BSL-1.0
//
// Nested braces of numbers, as in tensor<float>{{1, 2}, {3, 4}}.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/node.hpp>

#include <vector>

namespace chainrule::tensor {

/// Nested braces of numbers: {{1, 2}, {3, 4}}. Throws shape_error if rows have different shapes.
template <arithmetic T>
class nested_values {
public:
    template <class Number>
    requires std::is_arithmetic_v<Number>
    nested_values(Number number) : numbers_{static_cast<T>(number)} {}
    nested_values(std::initializer_list<nested_values> rows) {
        std::vector<index> sizes{static_cast<index>(rows.size())};
        for (const nested_values& row : rows) {
            if (&row == rows.begin())
                sizes.insert(sizes.end(), row.shape_.begin(), row.shape_.end());
            else if (row.shape_ != rows.begin()->shape_)
                core::raise(shape_error(storage::sentence("tensor: braces hold rows of shapes ", rows.begin()->shape_,
                                                          " and ", row.shape_, "; give every row the same shape")));
            numbers_.insert(numbers_.end(), row.numbers_.begin(), row.numbers_.end());
        }
        shape_ = extents(sizes);
    }
    [[nodiscard]] const extents& shape() const noexcept { return shape_; }
    [[nodiscard]] const std::vector<T>& numbers() const noexcept { return numbers_; }

private:
    extents shape_;
    std::vector<T> numbers_;
};

} // namespace chainrule::tensor
