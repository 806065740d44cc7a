// SPDX-License-Identifier: BSL-1.0
//
// Element-wise comparisons, and where and clamp, which select elements.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/elementwise.hpp>

namespace chainrule::tensor {
namespace operations {

/// where(): elements of the first argument where a condition holds, of the second elsewhere.
template <arithmetic T>
class choice final : public operation<choice<T>, T, 2> {
public:
    static constexpr const char* called = "where";

    void compute(const node<bool>& condition, const node<T>& a, const node<T>& b) {
        this->make_dense(
            storage::broadcast_shape(called, condition.shape, storage::broadcast_shape(called, a.shape, b.shape)));
        chosen_ = storage::buffer_reference(storage::buffer::make(static_cast<std::size_t>(this->count)));
        bool* const chosen = chosen_->template numbers<bool>();
        index next = 0;
        kernels::for_each(
            this->shape,
            [&](index c, index x, index y) {
                chosen[next] = condition.numbers[c];
                this->numbers[next] = chosen[next] ? a.numbers[x] : b.numbers[y];
                ++next;
            },
            storage::broadcast_strides(condition.shape, condition.strides, this->shape),
            storage::broadcast_strides(a.shape, a.strides, this->shape),
            storage::broadcast_strides(b.shape, b.strides, this->shape));
        record(*this, reading::nothing, a, b);
    }
    void propagate() {
        const bool* const chosen = chosen_->template numbers<bool>();
        for (const std::size_t k : {0U, 1U}) {
            if (!this->wanted(k)) continue;
            node<T>& to = this->at(k);
            const extents packed = storage::dense_strides(this->shape);
            // Not a product with 0: an infinite gradient must not reach the argument that was not chosen.
            const auto choose = [&](T* target, bool adds) {
                kernels::map(
                    this->shape, target, adds, [k](T g, bool first) { return first == (k == 0) ? g : T(0); },
                    std::tuple<const T*, const bool*>(this->gradient_numbers(), chosen), packed, packed, packed);
            };
            if (to.shape == this->shape) {
                const auto [target, adds] = to.take_gradient();
                choose(target, adds);
                continue;
            }
            const storage::buffer_reference memory(storage::buffer::make(this->bytes()));
            T* const of_argument = memory->template numbers<T>();
            choose(of_argument, false);
            kernels::add_to(this->shape, to.add_to_gradient(),
                            storage::broadcast_strides(to.shape, storage::dense_strides(to.shape), this->shape),
                            static_cast<const T*>(of_argument), packed);
        }
    }

private:
    storage::buffer_reference chosen_;
};

} // namespace operations

/// a where the condition holds, b elsewhere; all three broadcast. The argument that is not chosen affects neither the
/// value nor the gradient, even if it is infinite or NaN. Throws shape_error if the shapes do not broadcast.
template <arithmetic T>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, const tensor<T>& a, const tensor<T>& b) {
    return graph::computed<operations::choice<T>>(condition.node(), a.node(), b.node());
}
template <arithmetic T, operations::number<T> S>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, const tensor<T>& a, S b) {
    return where(condition, a, full<T>({}, static_cast<T>(b)));
}
template <arithmetic T, operations::number<T> S>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, S a, const tensor<T>& b) {
    return where(condition, full<T>({}, static_cast<T>(a)), b);
}

template <arithmetic A, arithmetic B>
[[nodiscard]] tensor<std::common_type_t<A, B>> where(const tensor<bool>& condition, A a, B b) {
    using T = std::common_type_t<A, B>;
    return where(condition, full<T>({}, static_cast<T>(a)), full<T>({}, static_cast<T>(b)));
}

// Element-wise comparisons, with broadcasting. == and != compare whole tensors, as is usual in C++; see equal().
namespace operations {
template <arithmetic T, class Compare>
[[nodiscard]] tensor<bool> compare(const char* call, const tensor<T>& a, const tensor<T>& b, Compare compare) {
    tensor<bool> result = empty<bool>(storage::broadcast_shape(call, a.shape(), b.shape()));
    const extents& shape = result.shape();
    kernels::map(shape, result.node().numbers, false, compare,
                 std::tuple<const T*, const T*>(a.node().numbers, b.node().numbers), result.strides(),
                 storage::broadcast_strides(a.shape(), a.strides(), shape),
                 storage::broadcast_strides(b.shape(), b.strides(), shape));
    return result;
}
} // namespace operations

#define CHAINRULE_COMPARISON(NAME, SYMBOL)                                                                             \
    template <arithmetic T>                                                                                            \
    [[nodiscard]] tensor<bool> NAME(const tensor<T>& a, const tensor<T>& b) {                                          \
        return operations::compare(#NAME, a, b, [](T left, T right) { return left SYMBOL right; });                    \
    }                                                                                                                  \
    template <arithmetic T, operations::number<T> S>                                                                   \
    [[nodiscard]] tensor<bool> NAME(const tensor<T>& a, S b) {                                                         \
        return NAME(a, full<T>({}, static_cast<T>(b)));                                                                \
    }                                                                                                                  \
    template <arithmetic T, operations::number<T> S>                                                                   \
    [[nodiscard]] tensor<bool> NAME(S a, const tensor<T>& b) {                                                         \
        return NAME(full<T>({}, static_cast<T>(a)), b);                                                                \
    }
CHAINRULE_COMPARISON(operator<, <)
CHAINRULE_COMPARISON(operator<=, <=)
CHAINRULE_COMPARISON(operator>, >)
CHAINRULE_COMPARISON(operator>=, >=)
CHAINRULE_COMPARISON(equal, ==)
#undef CHAINRULE_COMPARISON

[[nodiscard]] inline tensor<bool> operator!(const tensor<bool>& a) { return equal(a, false); }

/// Whether the shapes and all elements are equal.
template <arithmetic T>
[[nodiscard]] bool operator==(const tensor<T>& a, const tensor<T>& b) {
    return a.shape() == b.shape() && a.values() == b.values();
}

/// x limited to [low, high]; the gradient passes where low <= x <= high. Throws shape_error if low > high.
template <std::floating_point T>
[[nodiscard]] tensor<T> clamp(const tensor<T>& x, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    if (!(low <= high))
        core::raise(shape_error(
            storage::sentence("clamp: there is nothing between ", low, " and ", high, "; give low <= high")));
    return where(x < low, low, where(x > high, high, x));
}

} // namespace chainrule::tensor
