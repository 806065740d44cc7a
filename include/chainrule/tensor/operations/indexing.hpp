// SPDX-License-Identifier: BSL-1.0
//
// Selecting elements by position (take, gather) and joining tensors (concatenate, stack).
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/reduce.hpp>

#include <ranges>

namespace chainrule::tensor {
namespace operations {

/// The elements of a vector or an array, for example.
template <class Range>
[[nodiscard]] auto span_of(const Range& range) {
    return std::span<const std::ranges::range_value_t<Range>>(std::ranges::data(range), std::ranges::size(range));
}
template <class Range>
concept range_of_tensors = std::ranges::contiguous_range<Range> && requires(const Range& parts) {
    {
        *std::ranges::data(parts)
    } -> std::same_as<const tensor<typename std::ranges::range_value_t<Range>::value_type>&>;
};

/// A position counted from 0; negative ones count from the end. Throws shape_error if it is out of range.
template <std::integral I>
[[nodiscard]] index position_in(const char* call, I given, index size, const char* what) {
    const auto at = static_cast<index>(given);
    if (at < -size || at >= size || (at < 0) != (given < I(0))) // the last: more than an index can say
        core::raise(shape_error(storage::sentence(call, ": ", what, " ", +given, " is out of range; there are ", size,
                                                  ", numbered from 0")));
    return at < 0 ? at + size : at;
}

/// The operation of take().
template <arithmetic T>
class taking final : public operation<taking<T>, T, 1> {
public:
    static constexpr const char* called = "take";

    template <std::integral I>
    void compute(const node<T>& x, std::span<const I> positions, std::size_t axis) {
        const index size = x.shape[axis];
        positions_ = storage::buffer_reference(storage::buffer::make(positions.size() * sizeof(index)));
        index* const chosen = positions_->template numbers<index>();
        for (std::size_t k = 0; k < positions.size(); ++k)
            chosen[k] = position_in(called, positions[k], size, "position");
        extents taken = x.shape;
        taken[axis] = static_cast<index>(positions.size());
        this->make_dense(std::move(taken));
        axis_ = axis;
        extents rest = this->shape;
        rest[axis] = 1;
        for (index k = 0; k < this->shape[axis]; ++k)
            kernels::copy(rest, this->numbers + k * this->strides[axis], this->strides,
                          x.numbers + chosen[k] * x.strides[axis], x.strides);
        record(*this, reading::nothing, x);
    }
    void propagate() {
        node<T>& x = this->at(0);
        T* const target = x.add_to_gradient();
        const extents into = storage::dense_strides(x.shape);
        const index* const chosen = positions_->template numbers<index>();
        extents rest = this->shape;
        rest[axis_] = 1;
        for (index k = 0; k < this->shape[axis_]; ++k)
            kernels::add_to(rest, target + chosen[k] * into[axis_], into,
                            this->gradient_numbers() + k * this->strides[axis_], this->strides);
    }

private:
    storage::buffer_reference positions_;
    std::size_t axis_ = 0;
};

/// The operation of gather().
template <arithmetic T>
class gathering final : public operation<gathering<T>, T, 1> {
public:
    static constexpr const char* called = "gather";

    void compute(const node<T>& x, std::size_t axis, const node<index>& positions) {
        this->make_dense(positions.shape);
        const extents packed = storage::dense_strides(x.shape);
        from_ = storage::buffer_reference(storage::buffer::make(static_cast<std::size_t>(this->count) * sizeof(index)));
        index* const from = from_->template numbers<index>();
        extents along = packed, read = x.strides;
        along[axis] = read[axis] = 0;
        index next = 0;
        kernels::for_each(
            this->shape,
            [&](index place, index value, index gradient_place) {
                const index at = position_in(called, positions.numbers[place], x.shape[axis], "position");
                from[next] = gradient_place + at * packed[axis];
                this->numbers[next++] = x.numbers[value + at * x.strides[axis]];
            },
            positions.strides, read, along);
        record(*this, reading::nothing, x);
    }
    void propagate() {
        T* const target = this->at(0).add_to_gradient();
        const index* const from = from_->template numbers<index>();
        for (index i = 0; i < this->count; ++i) target[from[i]] += this->gradient_numbers()[i];
    }

private:
    storage::buffer_reference from_;
};

/// The operation of concatenate().
template <arithmetic T>
class joining final : public node<T> {
public:
    explicit joining(std::size_t parts) : places_(storage::buffer::make(parts * sizeof(argument<T>))) {
        this->arguments = places_->template numbers<argument<T>>();
        std::uninitialized_default_construct_n(this->arguments, parts);
    }
    [[nodiscard]] const char* name() const noexcept override { return "concatenate"; }

    void compute(std::span<const tensor<T>> parts, std::size_t axis) {
        extents joined = parts.front().shape();
        for (const tensor<T>& part : parts.subspan(1)) {
            extents fitting = joined;
            if (part.rank() == fitting.rank()) fitting[axis] = part.shape()[axis];
            if (part.shape() != fitting)
                core::raise(shape_error(storage::sentence("concatenate: parts of shapes ", parts.front().shape(),
                                                          " and ", part.shape(), " do not fit along axis ", axis,
                                                          "; all other sizes must be equal")));
            if (__builtin_add_overflow(joined[axis], part.shape()[axis], &joined[axis]))
                core::raise(shape_error(
                    storage::sentence("concatenate: parts of shapes ", parts.front().shape(), " and ", part.shape(),
                                      " are longer together than there can be along axis ", axis, "; give fewer")));
        }
        this->make_dense(std::move(joined));
        axis_ = axis;
        T* to = this->numbers;
        bool wanted = false;
        for (const tensor<T>& part : parts) {
            kernels::copy(part.shape(), to, this->strides, part.node().numbers, part.strides());
            to += part.shape()[axis] * this->strides[axis];
            check_current<T>(*this, part.node());
            wanted = wanted || part.requires_grad();
        }
        if (!recording || !wanted) return;
        this->wants_gradient = true;
        this->version = this->values->version;
        for (const tensor<T>& part : parts) add_argument<T>(*this, part.node());
    }
    void backward() override {
        const T* from = this->gradient_numbers();
        for (std::uint32_t k = 0; k < this->argument_count; ++k) {
            node<T>& part = this->at(k);
            if (part.wants_gradient) {
                const auto [target, adds] = part.take_gradient();
                kernels::map(
                    part.shape, target, adds, [](T g) { return g; }, std::tuple<const T*>(from),
                    storage::dense_strides(part.shape), this->strides);
            }
            from += part.shape[axis_] * this->strides[axis_];
        }
    }

private:
    void destroy() noexcept override {
        this->~joining();
        storage::give_back(this, sizeof(joining));
    }
    storage::buffer_reference places_;
    std::size_t axis_ = 0;
};

} // namespace operations

/// The slices of x at these positions along an axis; negative positions count from the end. Gradients of a slice taken
/// several times add up. Throws shape_error for positions out of range.
template <arithmetic T, std::integral I>
[[nodiscard]] tensor<T> take(const tensor<T>& x, std::span<const I> positions, index axis = 0) {
    return graph::computed<operations::taking<T>>(x.node(), positions, storage::axis_of("take", axis, x.rank()));
}
template <arithmetic T, std::ranges::contiguous_range Range>
requires std::integral<std::ranges::range_value_t<Range>>
[[nodiscard]] tensor<T> take(const tensor<T>& x, const Range& positions, index axis = 0) {
    return take(x, operations::span_of(positions), axis);
}
template <arithmetic T, std::integral I>
[[nodiscard]] tensor<T> take(const tensor<T>& x, const tensor<I>& positions, index axis = 0) {
    if (positions.rank() != 1)
        core::raise(shape_error(storage::sentence("take: positions have shape ", positions.shape(),
                                                  "; give a tensor of rank 1, or use gather()")));
    const tensor<I> packed = positions.contiguous() ? positions : positions.clone();
    return take(x, packed.span(), axis);
}
template <arithmetic T>
[[nodiscard]] tensor<T> take(const tensor<T>& x, std::initializer_list<index> positions, index axis = 0) {
    return take(x, std::span<const index>(positions.begin(), positions.size()), axis);
}

/// result(i, ..., k, ...) = x(i, ..., positions(i, ..., k, ...), ...), where k is the index along the axis. All other
/// sizes of x and positions must be equal; otherwise throws shape_error.
template <arithmetic T>
[[nodiscard]] tensor<T> gather(const tensor<T>& x, index axis, const tensor<index>& positions) {
    const std::size_t a = storage::axis_of("gather", axis, x.rank());
    extents expected = x.shape();
    if (positions.rank() == x.rank()) expected[a] = positions.shape()[a];
    if (positions.shape() != expected)
        core::raise(
            shape_error(storage::sentence("gather: positions of shape ", positions.shape(), " do not fit shape ",
                                          x.shape(), " along axis ", axis, "; all other sizes must be equal")));
    return graph::computed<operations::gathering<T>>(x.node(), a, positions.node());
}

/// Joins tensors along an existing axis. All other sizes must be equal; otherwise throws shape_error.
template <arithmetic T>
[[nodiscard]] tensor<T> concatenate(std::span<const tensor<T>> parts, index axis = 0) {
    if (parts.empty()) core::raise(shape_error("concatenate: there are no parts; give at least one tensor"));
    const std::size_t a = storage::axis_of("concatenate", axis, parts.front().rank());
    auto* made = graph::make<operations::joining<T>>(parts.size());
    tensor<T> result(made);
    made->compute(parts, a);
    return result;
}
template <operations::range_of_tensors Range>
[[nodiscard]] std::ranges::range_value_t<Range> concatenate(const Range& parts, index axis = 0) {
    return concatenate(operations::span_of(parts), axis);
}
template <arithmetic T>
[[nodiscard]] tensor<T> concatenate(std::initializer_list<tensor<T>> parts, index axis = 0) {
    return concatenate(operations::span_of(parts), axis);
}
/// The same along the first axis: concatenate(a, b).
template <arithmetic T, std::same_as<tensor<T>>... More>
requires(sizeof...(More) > 0)
[[nodiscard]] tensor<T> concatenate(const tensor<T>& first, const More&... more) {
    return concatenate({first, more...}, 0);
}
/// Joins tensors of equal shape along a new axis; otherwise throws shape_error.
template <arithmetic T>
[[nodiscard]] tensor<T> stack(std::span<const tensor<T>> parts, index axis = 0) {
    if (parts.empty()) core::raise(shape_error("stack: there are no parts; give at least one tensor"));
    const extents& shape = parts.front().shape();
    const auto a = static_cast<index>(storage::axis_of("stack", axis, shape.rank() + 1));
    std::vector<tensor<T>> thick;
    thick.reserve(parts.size());
    for (const tensor<T>& part : parts) {
        if (part.shape() != shape)
            core::raise(shape_error(storage::sentence("stack: parts have shapes ", shape, " and ", part.shape(),
                                                      "; give parts of one shape, or use concatenate()")));
        thick.push_back(expand_dims(part, a));
    }
    return concatenate(thick, a);
}
template <operations::range_of_tensors Range>
[[nodiscard]] std::ranges::range_value_t<Range> stack(const Range& parts, index axis = 0) {
    return stack(operations::span_of(parts), axis);
}
template <arithmetic T>
[[nodiscard]] tensor<T> stack(std::initializer_list<tensor<T>> parts, index axis = 0) {
    return stack(operations::span_of(parts), axis);
}
/// The same along a new first axis: stack(a, b).
template <arithmetic T, std::same_as<tensor<T>>... More>
requires(sizeof...(More) > 0)
[[nodiscard]] tensor<T> stack(const tensor<T>& first, const More&... more) {
    return stack({first, more...}, 0);
}

} // namespace chainrule::tensor
