// SPDX-License-Identifier: BSL-1.0
//
// Shapes and strides: lists with one number per axis. Broadcasting of shapes as in NumPy, and axes counted from the
// end.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/storage/shape_text.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace chainrule::tensor {

/// A position along an axis, or a number of elements. Signed, so that axes and positions can count from the end.
using index = std::ptrdiff_t;

/// Thrown if shapes do not match, or if there is no such axis or position. Nothing has changed when it is thrown.
class shape_error : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A shape: one size per axis. Up to four axes need no allocation.
class extents {
public:
    static constexpr std::size_t inline_capacity = 4;

    extents() = default;
    extents(std::initializer_list<index> sizes) : extents(std::span<const index>(sizes.begin(), sizes.size())) {}
    /// Makes this the shape (first, second).
    void set(index first, index second) noexcept {
        rank_ = 2;
        few_[0] = first;
        few_[1] = second;
        if (more_) [[unlikely]]
            more_.reset();
    }
    explicit extents(std::span<const index> sizes) : rank_(sizes.size()) {
        reserve();
        for (std::size_t axis = 0; axis < rank_; ++axis) data()[axis] = sizes[axis];
    }
    /// `rank` times the same size.
    extents(std::size_t rank, index size) : rank_(rank), few_{size, size, size, size} {
        reserve();
        if (more_) std::fill_n(more_.get(), rank, size);
    }
    extents(const extents& other) { *this = other; }
    /// The moved-from shape is unchanged, or () if it had more than four axes.
    extents(extents&& other) noexcept { *this = std::move(other); }
    extents& operator=(extents&& other) noexcept {
        rank_ = other.rank_;
        for (std::size_t axis = 0; axis < inline_capacity; ++axis) few_[axis] = other.few_[axis];
        more_ = std::move(other.more_);
        if (more_ && this != &other) [[unlikely]]
            other.rank_ = 0;
        return *this;
    }
    extents& operator=(const extents& other) {
        if (other.rank_ > inline_capacity) [[unlikely]] {
            if (this == &other) return *this;
            if (rank_ != other.rank_ || !more_) more_ = std::make_unique<index[]>(other.rank_);
            std::copy_n(other.more_.get(), other.rank_, more_.get());
        } else {
            for (std::size_t axis = 0; axis < inline_capacity; ++axis) few_[axis] = other.few_[axis];
            if (more_) [[unlikely]]
                more_.reset();
        }
        rank_ = other.rank_;
        return *this;
    }
    ~extents() = default;

    /// The number of axes.
    [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
    [[nodiscard]] std::size_t size() const noexcept { return rank_; }
    [[nodiscard]] index* data() noexcept { return rank_ > inline_capacity ? more_.get() : few_; }
    [[nodiscard]] const index* data() const noexcept { return rank_ > inline_capacity ? more_.get() : few_; }
    [[nodiscard]] index& operator[](std::size_t axis) noexcept { return data()[axis]; }
    [[nodiscard]] index operator[](std::size_t axis) const noexcept { return data()[axis]; }
    [[nodiscard]] index* begin() noexcept { return data(); }
    [[nodiscard]] index* end() noexcept { return data() + rank_; }
    [[nodiscard]] const index* begin() const noexcept { return data(); }
    [[nodiscard]] const index* end() const noexcept { return data() + rank_; }
    [[nodiscard]] index back() const noexcept { return data()[rank_ - 1]; }

    /// The number of elements, the product of all sizes. Throws shape_error for negative sizes, and if the elements
    /// would take more than 2^61 bytes. `call` is named in the error. This is the only place that multiplies unchecked
    /// sizes.
    [[nodiscard]] index count(const char* call = "count", std::size_t element_size = 1) const {
        const index product = count_or_none(element_size);
        if (product < 0) [[unlikely]]
            refuse_count(call);
        return product;
    }
    /// The same, but -1 instead of an exception.
    [[nodiscard]] index count_or_none(std::size_t element_size) const noexcept {
        index product = 1;
        bool empty = false;
        for (const index size : *this) {
            if (size < 0) return -1;
            if (size == 0)
                empty = true; // strides are products of the others all the same
            else if (__builtin_mul_overflow(product, size, &product))
                return -1;
        }
        if (product > most_elements(element_size)) return -1;
        return empty ? 0 : product;
    }
    /// The largest number of elements of a tensor: twice its bytes, and some more, can still be counted.
    [[nodiscard]] static constexpr index most_elements(std::size_t element_size) noexcept {
        return std::numeric_limits<index>::max() / 4 / static_cast<index>(element_size);
    }
    /// Throws what count() throws for this shape.
    [[noreturn, gnu::cold]] void refuse_count(const char* call) const;

    friend bool operator==(const extents& a, const extents& b) noexcept {
        if (a.rank_ != b.rank_) return false;
        for (std::size_t axis = 0; axis < a.rank_; ++axis)
            if (a[axis] != b[axis]) return false;
        return true;
    }

    /// As NumPy prints it: (2, 3), (5,), ().
    friend std::ostream& operator<<(std::ostream& out, const extents& shape) {
        return out << storage::shape_text(shape);
    }
    [[nodiscard]] friend std::string to_string(const extents& shape) { return storage::shape_text(shape); }

private:
    void reserve() {
        if (rank_ > inline_capacity) [[unlikely]]
            more_ = std::make_unique<index[]>(rank_);
    }

    std::size_t rank_ = 0;
    index few_[inline_capacity] = {};
    std::unique_ptr<index[]> more_;
};

namespace storage {

/// The text of an error, put together from its parts.
template <class... Part>
[[nodiscard]] std::string sentence(const Part&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

} // namespace storage

inline void extents::refuse_count(const char* call) const {
    if (std::any_of(begin(), end(), [](index size) { return size < 0; }))
        core::raise(shape_error(storage::sentence(call, ": shape ", *this, " has a negative size; give sizes from 0")));
    core::raise(shape_error(
        storage::sentence(call, ": shape ", *this, " has more elements than there can be; give smaller sizes")));
}

namespace storage {

/// The strides, in elements, of a contiguous row-major tensor.
[[nodiscard]] inline extents dense_strides(const extents& shape) {
    extents strides(shape.rank(), 1);
    if (shape.rank() == 2)
        strides[0] = shape[1];
    else
        for (std::size_t axis = shape.rank(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

/// The axis counted from 0, where -1 is the last one. Throws shape_error if there is no such axis.
[[nodiscard]] inline std::size_t axis_of(const char* call, index axis, std::size_t rank) {
    const auto signed_rank = static_cast<index>(rank);
    if (axis < -signed_rank || axis >= signed_rank)
        core::raise(shape_error(
            rank == 0 ? sentence(call, ": axis ", axis,
                                 " does not exist, a scalar has no axes; omit the axis, or reshape the scalar")
                      : sentence(call, ": axis ", axis, " does not exist, the tensor has ", rank,
                                 rank == 1 ? " axis" : " axes", "; give a number from ", -signed_rank, " to ",
                                 signed_rank - 1)));
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

/// The shape to which two shapes broadcast: aligned at the last axis, missing axes and axes of size 1 take the size of
/// the other. Throws shape_error if other sizes differ.
[[nodiscard]] inline extents broadcast_shape(const char* call, const extents& a, const extents& b) {
    const extents& longer = a.rank() >= b.rank() ? a : b;
    const extents& shorter = a.rank() >= b.rank() ? b : a;
    const std::size_t lead = longer.rank() - shorter.rank();
    extents shape = longer;
    for (std::size_t axis = lead; axis < shape.rank(); ++axis) {
        const index other = shorter[axis - lead];
        if (shape[axis] == other || other == 1) continue;
        if (shape[axis] != 1)
            core::raise(shape_error(sentence(call, ": shapes ", a, " and ", b, " do not broadcast: axis ",
                                             static_cast<index>(axis) - static_cast<index>(shape.rank()), " has sizes ",
                                             longer[axis], " and ", other,
                                             "; aligned at the last axis, sizes must be equal or 1")));
        shape[axis] = other;
    }
    return shape;
}

/// The strides that read a tensor of shape `shape` as if it were broadcast to `to`: 0 along repeated axes.
[[nodiscard]] inline extents broadcast_strides(const extents& shape, const extents& strides, const extents& to) {
    extents read(to.rank(), 0);
    const std::size_t lead = to.rank() - shape.rank();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        read[lead + axis] = shape[axis] == 1 && to[lead + axis] != 1 ? 0 : strides[axis];
    return read;
}

} // namespace storage

} // namespace chainrule::tensor
