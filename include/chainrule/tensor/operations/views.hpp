// SPDX-License-Identifier: BSL-1.0
//
// Views, which share the numbers of their argument: reshape, transpose, permute, slice, select, broadcast_to, ...;
// gradients pass through the same view.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/elementwise.hpp>

#include <limits>

namespace chainrule::tensor {
namespace operations {

/// A view: strides and offset into the numbers of the argument, and into its contiguous gradient.
template <arithmetic T>
class view final : public operation<view<T>, T, 1> {
public:
    static constexpr const char* called = "view";
    explicit view(const char* call) noexcept : call_(call) {}
    [[nodiscard]] const char* name() const noexcept override { return call_; }

    /// place(strides) turns the strides of the argument into those of the view and returns the offset of the first
    /// element.
    template <class Place>
    void look(const node<T>& x, extents new_shape, Place place) {
        this->shape = std::move(new_shape);
        this->count = this->shape.count(call_, sizeof(T));
        this->strides = x.strides;
        this->numbers = x.numbers + place(this->strides);
        this->values = x.values;
        this->views_argument = true;
        this->dense = this->count <= 1 || same_order(storage::dense_strides(this->shape), this->strides, this->shape);
        record(*this, reading::nothing, x);
        if (!this->leaf()) {
            gradient_strides_ = storage::dense_strides(x.shape);
            gradient_offset_ = place(gradient_strides_);
        }
    }
    void propagate() {
        node<T>& x = this->at(0);
        const extents packed = storage::dense_strides(this->shape);
        if (this->count == x.count && gradient_strides_ == packed) return this->pass_gradient_to(x, true);
        kernels::add_to(this->shape, x.add_to_gradient() + gradient_offset_, gradient_strides_,
                        this->gradient_numbers(), packed);
    }

private:
    /// Ignores strides along axes of size 1.
    static bool same_order(const extents& a, const extents& b, const extents& sizes) {
        for (std::size_t axis = 0; axis < sizes.rank(); ++axis)
            if (sizes[axis] != 1 && a[axis] != b[axis]) return false;
        return true;
    }
    const char* call_;
    extents gradient_strides_;
    index gradient_offset_ = 0;
};

template <arithmetic T, class Place>
[[nodiscard]] tensor<T> look(const char* call, const tensor<T>& x, extents shape, Place place) {
    auto* made = make<view<T>>(call);
    tensor<T> result(made);
    made->look(x.node(), std::move(shape), place);
    return result;
}

} // namespace operations

/// x itself if it is contiguous, otherwise a contiguous copy.
template <arithmetic T>
[[nodiscard]] tensor<T> contiguous(const tensor<T>& x) {
    return x.contiguous() ? x : graph::copied("contiguous", x);
}

/// The same elements in row-major order with another shape; one size may be -1 and is computed. A view if x is
/// contiguous, otherwise a copy. Throws shape_error if the number of elements differs.
template <arithmetic T>
[[nodiscard]] tensor<T> reshape(const tensor<T>& x, extents shape) {
    const auto open = std::find(shape.begin(), shape.end(), index{-1});
    if (open != shape.end()) {
        *open = 1;
        const index known = shape.count_or_none(1);
        *open = known > 0 && x.count() % known == 0 ? x.count() / known : -1;
    }
    if (shape.count_or_none(1) != x.count())
        core::raise(shape_error(storage::sentence("reshape: ", x.count(), " elements of shape ", x.shape(),
                                                  " do not fill shape ", shape,
                                                  "; the product of the sizes must stay, and one size may be -1")));
    const tensor<T> packed = contiguous(x);
    return operations::look("reshape", packed, shape, [&](extents& strides) {
        strides = storage::dense_strides(shape);
        return index{0};
    });
}
/// All elements in row-major order, of shape (count,).
template <arithmetic T>
[[nodiscard]] tensor<T> flatten(const tensor<T>& x) {
    return reshape(x, {x.count()});
}

/// The axes in another order: axis k of the result is axis order[k] of x. Throws shape_error unless each axis is named
/// once.
template <arithmetic T>
[[nodiscard]] tensor<T> permute(const tensor<T>& x, const extents& order) {
    extents axes = order, shape = x.shape();
    bool each_once = order.rank() == x.rank();
    for (std::size_t k = 0; each_once && k < axes.rank(); ++k) {
        axes[k] = static_cast<index>(storage::axis_of("permute", order[k], x.rank()));
        each_once = std::count(axes.begin(), axes.begin() + k, axes[k]) == 0;
        shape[k] = x.shape()[static_cast<std::size_t>(axes[k])];
    }
    if (!each_once)
        core::raise(shape_error(storage::sentence("permute: ", order, " is not a permutation of the axes of shape ",
                                                  x.shape(), "; name each axis once")));
    return operations::look("permute", x, shape, [&](extents& strides) {
        const extents before = strides;
        for (std::size_t k = 0; k < axes.rank(); ++k) strides[k] = before[static_cast<std::size_t>(axes[k])];
        return index{0};
    });
}
/// Swaps two axes.
template <arithmetic T>
[[nodiscard]] tensor<T> transpose(const tensor<T>& x, index axis, index other) {
    const std::size_t a = storage::axis_of("transpose", axis, x.rank()),
                      b = storage::axis_of("transpose", other, x.rank());
    extents shape = x.shape();
    std::swap(shape[a], shape[b]);
    return operations::look("transpose", x, shape, [a, b](extents& strides) {
        std::swap(strides[a], strides[b]);
        return index{0};
    });
}
/// The axes in reverse order; the transpose of a matrix.
template <arithmetic T>
[[nodiscard]] tensor<T> transpose(const tensor<T>& x) {
    extents order(x.rank(), 0);
    for (std::size_t k = 0; k < x.rank(); ++k) order[k] = static_cast<index>(x.rank() - 1 - k);
    return permute(x, order);
}

/// The same with the sizes as arguments: reshape(x, 2, -1).
template <arithmetic T, std::integral... Size>
requires(sizeof...(Size) > 0)
[[nodiscard]] tensor<T> reshape(const tensor<T>& x, Size... sizes) {
    return reshape(x, extents{static_cast<index>(sizes)...});
}
/// The end of slice() that leaves nothing out.
inline constexpr index to_the_end = std::numeric_limits<index>::max();
/// Positions begin, begin + step, ... before end along an axis, as Python's x[begin:end:step]: negative positions count
/// from the end, positions outside are cut off, a negative step goes backwards. Throws shape_error for step 0.
template <arithmetic T>
[[nodiscard]] tensor<T> slice(const tensor<T>& x, index axis, index begin, index end = to_the_end, index step = 1) {
    const std::size_t a = storage::axis_of("slice", axis, x.rank());
    if (step == 0) core::raise(shape_error("slice: the step is 0; give a positive or a negative one"));
    const index size = x.shape()[a];
    const auto inside = [&](index at) {
        if (at < 0) at += size;
        return step > 0 ? std::clamp(at, index{0}, size) : std::clamp(at, index{-1}, size - 1);
    };
    const index first = inside(begin), last = end == to_the_end && step < 0 ? index{-1} : inside(end);
    const index span = step > 0 ? last - first : first - last, stride = step > 0 ? step : -std::max(step, -to_the_end);
    extents shape = x.shape();
    shape[a] = span > 0 ? (span - 1) / stride + 1 : 0;
    return operations::look("slice", x, shape, [&, count = shape[a]](extents& strides) {
        const index offset = count == 0 ? 0 : first * strides[a];
        if (count > 1) strides[a] *= step; // of any size where nothing follows
        return offset;
    });
}
/// Position `at` of an axis; the result does not have this axis. Throws shape_error if it is out of range.
template <arithmetic T>
[[nodiscard]] tensor<T> select(const tensor<T>& x, index axis, index at) {
    const std::size_t a = storage::axis_of("select", axis, x.rank());
    const index size = x.shape()[a], position = at < 0 ? at + size : at;
    if (position < 0 || position >= size)
        core::raise(
            shape_error(storage::sentence("select: position ", at, " lies outside axis ", axis, " of shape ", x.shape(),
                                          "; positions go from 0 to the size - 1, or from -1 backwards")));
    const auto without = [a](const extents& list) {
        extents rest(list.rank() - 1, 0);
        for (std::size_t k = 0; k < rest.rank(); ++k) rest[k] = list[k < a ? k : k + 1];
        return rest;
    };
    return operations::look("select", x, without(x.shape()), [&](extents& strides) {
        const index offset = position * strides[a];
        strides = without(strides);
        return offset;
    });
}
/// x broadcast to a shape, without a copy. Throws shape_error if it does not broadcast.
template <arithmetic T>
[[nodiscard]] tensor<T> broadcast_to(const tensor<T>& x, const extents& shape) {
    if (x.rank() > shape.rank() || storage::broadcast_shape("broadcast_to", x.shape(), shape) != shape)
        core::raise(
            shape_error(storage::sentence("broadcast_to: shape ", x.shape(), " does not broadcast to ", shape,
                                          "; aligned at the last axis, sizes must be equal, or 1 in the tensor")));
    return operations::look("broadcast_to", x, shape, [&](extents& strides) {
        strides = storage::broadcast_strides(x.shape(), strides, shape);
        return index{0};
    });
}
/// Inserts an axis of size 1 before position `axis`; -1 appends it.
template <arithmetic T>
[[nodiscard]] tensor<T> expand_dims(const tensor<T>& x, index axis) {
    const std::size_t a = storage::axis_of("expand_dims", axis, x.rank() + 1);
    const auto with = [a](const extents& list, index size) {
        extents longer(list.rank() + 1, size);
        for (std::size_t k = 0; k < list.rank(); ++k) longer[k < a ? k : k + 1] = list[k];
        return longer;
    };
    return operations::look("expand_dims", x, with(x.shape(), 1), [&](extents& strides) {
        strides = with(strides, 1);
        return index{0};
    });
}
/// Removes an axis of size 1. Throws shape_error if it has another size.
template <arithmetic T>
[[nodiscard]] tensor<T> squeeze(const tensor<T>& x, index axis) {
    if (x.shape()[storage::axis_of("squeeze", axis, x.rank())] != 1)
        core::raise(shape_error(storage::sentence("squeeze: axis ", axis, " of shape ", x.shape(),
                                                  " does not have size 1; use select() for one position")));
    return select(x, axis, 0);
}

} // namespace chainrule::tensor
