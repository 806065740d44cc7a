// SPDX-License-Identifier: BSL-1.0
//
// In-place changes that are recorded: the check of what they replace, and assign(). elementwise.hpp has the operators.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/creation.hpp>
#include <chainrule/tensor/kernels/sums.hpp>

namespace chainrule::tensor {

namespace operations {

using namespace graph;

/// Throws unless the result of an operation may take the place of a: gradients of others that hold the numbers of a
/// would be wrong. Sentences advise to write `instead`.
template <arithmetic T>
void check_replaced(const char* call, const char* instead, const tensor<T>& a) {
    const node<T>& owner = a.node().owner();
    if (owner.leaf() && owner.wants_gradient)
        core::raise(gradient_error(storage::sentence(
            call, ": the tensor of shape ", a.shape(), &owner == &a.node() ? "" : " is a view of one that",
            " collects gradients and would be changed in place; change it while a no_grad lives, or write ", instead)));
    a.check_unrepeated(call);
    if (a.node().leaf() && !a.sole_owner())
        core::raise(gradient_error(
            storage::sentence(call, ": other handles or views share the tensor of shape ", a.shape(),
                              " and would not know that it depends on a tensor that requires a gradient; write ",
                              instead, ", or put parts together with stack() or concatenate()")));
}

/// The numbers of b in the memory of a. The result does not depend on the old numbers of a, so a is not an argument.
template <arithmetic T>
class assigning final : public operation<assigning<T>, T, 1> {
public:
    static constexpr const char* called = "assign";
    void compute_in_place(const node<T>& a, const node<T>& b) {
        this->share_value(a);
        record(*this, reading::nothing, b);
        kernels::copy(this->shape, this->numbers, this->strides, b.numbers,
                      storage::broadcast_strides(b.shape, b.strides, this->shape));
        this->version = ++this->values->version;
    }
    void propagate() {
        node<T>& b = this->at(0);
        if (b.shape == this->shape) return this->pass_gradient_to(b, true);
        kernels::add_to(this->shape, b.add_to_gradient(),
                        storage::broadcast_strides(b.shape, storage::dense_strides(b.shape), this->shape),
                        this->gradient_numbers(), storage::dense_strides(this->shape));
    }
};

} // namespace operations

template <arithmetic T>
void tensor<T>::assign(const tensor& source) {
    if (storage::broadcast_shape("assign", shape(), source.shape()) != shape())
        core::raise(shape_error(storage::sentence("assign: shape ", source.shape(), " does not broadcast to ", shape(),
                                                  "; give a tensor of the shape to be written")));
    const bool recorded = graph::recording && (requires_grad() || source.requires_grad());
    if (recorded) operations::check_replaced("assign", "a = b", *this);
    const tensor held = shares_numbers_with(source) ? source.clone() : source;
    if constexpr (differentiable)
        if (recorded) {
            auto* made = graph::make<operations::assigning<T>>();
            tensor result(made);
            made->compute_in_place(node(), held.node());
            *this = std::move(result);
            return;
        }
    before_change("assign");
    kernels::copy(shape(), node().numbers, strides(), held.node().numbers,
                  storage::broadcast_strides(held.shape(), held.strides(), shape()));
}

} // namespace chainrule::tensor
