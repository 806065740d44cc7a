// SPDX-License-Identifier: BSL-1.0
//
// A matrix operand with its strides brought to one of the two forms that matrix kernels take.
#pragma once

#include <chainrule/tensor/kernels/product_kernel.hpp>
#include <chainrule/tensor/storage/extents.hpp>
#include <chainrule/tensor/storage/memory.hpp>

namespace chainrule::tensor::operations {

/// An operand stored by rows, or by columns, which are `row` apart.
template <class T>
struct matrix_operand {
    const T* numbers = nullptr;
    index row = 1;
    operand form = operand::as_is;
    storage::buffer_reference copy; // where its strides fit neither form

    [[nodiscard]] operand flipped() const { return form == operand::as_is ? operand::transposed : operand::as_is; }

    /// Whether the strides fit one of the forms; sets the form if so.
    [[gnu::always_inline]] bool fits(index rows, index columns, index row_stride, index column_stride) {
        if (column_stride == 1 && row_stride >= columns && columns > 0) [[likely]] {
            row = row_stride;
            return true;
        }
        const auto lies = [](index size, index stride, index other_size, index other_stride) {
            return (size <= 1 || stride == 1) && (other_size <= 1 || other_stride >= (size > 1 ? size : 1));
        };
        if (lies(columns, column_stride, rows, row_stride)) {
            row = std::max<index>(rows > 1 ? row_stride : columns, 1);
            return true;
        }
        if (lies(rows, row_stride, columns, column_stride)) {
            form = operand::transposed;
            row = std::max<index>(columns > 1 ? column_stride : rows, 1);
            return true;
        }
        return false;
    }
};

} // namespace chainrule::tensor::operations
