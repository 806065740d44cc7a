// SPDX-License-Identifier: BSL-1.0
//
// matmul and linear. A bias added to a temporary product, and a relu of the sum, become part of the same operation.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/matrix_product.hpp>
#include <chainrule/tensor/operations/softmax.hpp>

namespace chainrule::tensor {

/// The product of two matrices, a matrix and a vector, or two vectors; of stacks of matrices, whose leading axes
/// broadcast, as in NumPy. An inner size of 0 gives zeros. Throws shape_error if the inner sizes differ.
template <arithmetic T>
[[nodiscard]] tensor<T> matmul(const tensor<T>& a, const tensor<T>& b) {
    return graph::computed<operations::matrix_product<T>>(a.node(), b.node());
}

/// x W + bias in one operation, for x of shape (..., in), W of shape (in, out) and a bias of shape (out,). Throws
/// shape_error for other shapes.
template <arithmetic T>
[[nodiscard]] tensor<T> linear(const tensor<T>& x, const tensor<T>& weights, const tensor<T>& bias) {
    if (weights.rank() != 2 || bias.rank() != 1 || bias.count() != weights.shape()[1])
        core::raise(shape_error(storage::sentence("linear: weights of shape ", weights.shape(), " and a bias of shape ",
                                                  bias.shape(), "; give (in, out) and (out,)")));
    return graph::computed<operations::matrix_product<T>>(x.node(), weights.node(), bias.node());
}

/// Adds a bias to a temporary product in its memory, if no other handle refers to it.
template <arithmetic T>
[[nodiscard]] tensor<T> operator+(tensor<T>&& product, const tensor<T>& bias) {
    if (auto* open = operations::unfinished_product(product);
        open != nullptr && open != &bias.node() && open->takes_bias(bias.node())) {
        open->add_bias(bias.node());
        return std::move(product);
    }
    return operations::apply<operations::add>(product, bias);
}

/// max(0, x); of a temporary product in its memory.
template <std::floating_point T>
[[nodiscard]] tensor<T> relu(tensor<T>&& product) {
    if (auto* open = operations::unfinished_product(product); open != nullptr && open->takes_relu()) {
        open->rectify();
        return std::move(product);
    }
    return operations::apply<operations::of_table<functions::relu>>(product);
}

} // namespace chainrule::tensor
