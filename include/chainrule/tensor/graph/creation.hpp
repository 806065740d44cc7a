// SPDX-License-Identifier: BSL-1.0
//
// Functions that create tensors: empty, full, zeros, ones, arange and identity; and copies.
#pragma once

#include <chainrule/tensor/graph/tensor.hpp>

namespace chainrule::tensor {

/// A tensor of this shape with uninitialised elements, to be overwritten. Throws shape_error for negative or too large
/// sizes.
template <arithmetic T>
tensor<T> empty(const extents& shape) {
    static_cast<void>(shape.count("empty", sizeof(T)));
    auto* made = graph::make<graph::node<T>>();
    tensor<T> result(made);
    made->make_dense(shape);
    return result;
}

namespace graph {

/// The result of an operation.
template <class Operation, class... Operands>
[[nodiscard]] tensor<typename Operation::value_type> computed(const Operands&... operands) {
    auto* made = make<Operation>();
    tensor<typename Operation::value_type> result(made);
    made->compute(operands...);
    return result;
}

/// A contiguous copy, through which gradients pass. `call` is its name in errors.
template <arithmetic T>
class copying final : public operation<copying<T>, T, 1> {
public:
    static constexpr const char* called = "copying";
    explicit copying(const char* call) noexcept : call_(call) {}
    [[nodiscard]] const char* name() const noexcept override { return call_; }
    void compute(const node<T>& x) {
        this->make_dense(x.shape);
        kernels::copy(x.shape, this->numbers, this->strides, x.numbers, x.strides);
        record(*this, reading::nothing, x);
    }
    void propagate() { this->pass_gradient_to(this->at(0), true); }

private:
    const char* call_;
};
template <arithmetic T>
[[nodiscard]] tensor<T> copied(const char* call, const tensor<T>& x) {
    auto* made = make<copying<T>>(call);
    tensor<T> result(made);
    made->compute(x.node());
    return result;
}

/// A tensor whose elements are all the same; `call` is named in errors.
template <arithmetic T>
[[nodiscard]] tensor<T> filled(const char* call, const extents& shape, T number) {
    static_cast<void>(shape.count(call, sizeof(T)));
    tensor<T> result = empty<T>(shape);
    std::fill_n(result.node().numbers, result.count(), number);
    return result;
}

} // namespace graph

/// A tensor of this shape with the same number in every element. Throws shape_error for negative or too large sizes.
template <arithmetic T>
[[nodiscard]] tensor<T> full(const extents& shape, std::type_identity_t<T> number) {
    return graph::filled<T>("full", shape, number);
}
/// A tensor of this shape, all 0.
template <arithmetic T>
[[nodiscard]] tensor<T> zeros(const extents& shape) {
    return graph::filled<T>("zeros", shape, T(0));
}
/// A tensor of this shape, all 1.
template <arithmetic T>
[[nodiscard]] tensor<T> ones(const extents& shape) {
    return graph::filled<T>("ones", shape, T(1));
}

template <arithmetic T>
tensor<T> tensor<T>::clone() const {
    if constexpr (differentiable)
        if (graph::recording && requires_grad()) return graph::copied("clone", *this);
    tensor copy = empty<T>(shape());
    kernels::copy(shape(), copy.node().numbers, copy.strides(), node().numbers, strides());
    return copy;
}

#define CHAINRULE_SHAPE_WITHOUT_BRACES(CALL)                                                                           \
    template <arithmetic T, std::integral... Size>                                                                     \
    requires(sizeof...(Size) > 0)                                                                                      \
    tensor<T> CALL(Size...) {                                                                                          \
        static_assert(sizeof...(Size) == 0, #CALL ": a shape stands in braces; write " #CALL "<float>({2, 3})");       \
        return {};                                                                                                     \
    }
CHAINRULE_SHAPE_WITHOUT_BRACES(empty)
CHAINRULE_SHAPE_WITHOUT_BRACES(zeros)
CHAINRULE_SHAPE_WITHOUT_BRACES(ones)
#undef CHAINRULE_SHAPE_WITHOUT_BRACES

#define CHAINRULE_WITHOUT_TYPE(CALL)                                                                                   \
    template <class T = void>                                                                                          \
    requires std::is_void_v<T>                                                                                         \
    tensor<float> CALL(const extents&) {                                                                               \
        static_assert(!std::is_void_v<T>,                                                                              \
                      #CALL ": the type of the numbers is missing; write " #CALL "<float>({2, 3})");                   \
        return {};                                                                                                     \
    }
CHAINRULE_WITHOUT_TYPE(empty)
CHAINRULE_WITHOUT_TYPE(zeros)
CHAINRULE_WITHOUT_TYPE(ones)
#undef CHAINRULE_WITHOUT_TYPE

/// The numbers 0, 1, ..., count - 1, of shape (count,). Throws shape_error for a negative count.
template <arithmetic T>
[[nodiscard]] tensor<T> arange(index count) {
    tensor<T> result = graph::filled<T>("arange", {count}, T(0));
    for (index i = 0; i < count; ++i) result.node().numbers[i] = static_cast<T>(i);
    return result;
}

/// The size x size matrix with ones on the diagonal. Throws shape_error for a negative size.
template <arithmetic T>
[[nodiscard]] tensor<T> identity(index size) {
    tensor<T> result = graph::filled<T>("identity", {size, size}, T(0));
    for (index i = 0; i < size; ++i) result.node().numbers[i * (size + 1)] = T(1);
    return result;
}

} // namespace chainrule::tensor
