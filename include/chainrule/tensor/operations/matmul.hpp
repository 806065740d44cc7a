// SPDX-License-Identifier: BSL-1.0
//
// matmul of matrices, vectors and stacks of them, with NumPy's rules for shapes. A bias added to a product, and a relu
// of that, become part of the same operation where the product is a temporary.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/matrix_product.hpp>
#include <chainrule/tensor/operations/softmax.hpp>

namespace chainrule::tensor {

/// The product of matrices; of stacks of matrices, whose leading axes broadcast; of a matrix and a vector; of two
/// vectors. An inner size of 0 gives zeros. Throws shape_error where the inner sizes differ.
template <arithmetic T>
[[nodiscard]] tensor<T> matmul(const tensor<T>& a, const tensor<T>& b) {
    return graph::computed<operations::matrix_product<T>>(a.node(), b.node());
}

/// x W + bias for rows x of shape (..., in), W of shape (in, out) and a bias of shape (out,): one operation.
template <arithmetic T>
[[nodiscard]] tensor<T> linear(const tensor<T>& x, const tensor<T>& weights, const tensor<T>& bias) {
    if (weights.rank() != 2 || bias.rank() != 1 || bias.count() != weights.shape()[1])
        raise(shape_error(storage::sentence("linear: weights of shape ", weights.shape(), " and a bias of shape ",
                                            bias.shape(), "; give (in, out) and (out,)")));
    return graph::computed<operations::matrix_product<T>>(x.node(), weights.node(), bias.node());
}

/// A bias that is added to a product nobody else holds becomes part of it.
template <arithmetic T>
[[nodiscard]] tensor<T> operator+(tensor<T>&& product, const tensor<T>& bias) {
    if (auto* open = operations::unfinished_product(product); open != nullptr && open->takes_bias(bias.node())) {
        open->add_bias(bias.node());
        return std::move(product);
    }
    return operations::apply<operations::add>(product, bias);
}

/// max(0, x); of a product nobody else holds, in its memory.
template <std::floating_point T>
[[nodiscard]] tensor<T> relu(tensor<T>&& product) {
    if (auto* open = operations::unfinished_product(product); open != nullptr && open->takes_relu()) {
        open->rectify();
        return std::move(product);
    }
    return operations::apply<operations::of_table<functions::relu>>(product);
}

} // namespace chainrule::tensor
