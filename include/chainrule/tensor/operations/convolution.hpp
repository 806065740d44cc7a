// SPDX-License-Identifier: BSL-1.0
//
// Two-dimensional convolution and max-pooling of images of shape (images, channels, height, width). A convolution is
// computed as a matrix product whose columns are the patches of an image (Chellapilla, Puri and Simard, "High
// performance convolutional neural networks for document processing", 2006).
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/matmul.hpp>

#include <optional>

namespace chainrule::tensor {

/// The stride of a window, and the width of the border of zeros around an image; the same in both directions.
struct window {
    index stride = 1;  ///< in elements
    index padding = 0; ///< the border's width in elements
};

/// The stride of a pooling window, by default its size, and the width of the border, whose elements are never chosen.
struct pooling_window {
    std::optional<index> stride = {}; ///< in elements
    index padding = 0;                ///< the border's width in elements
};

namespace operations {

/// The sizes of images, of a window and of the result.
struct window_sizes {
    index images, channels, height, width; // of the argument
    index window_height, window_width;     // of the window
    index stride, padding;
    index result_height = 0, result_width = 0; // positions of the window

    void place(const char* call, const extents& shape) {
        if (stride < 1 || padding < 0)
            core::raise(shape_error(storage::sentence(call, ": stride ", stride, " and padding ", padding,
                                                      "; give a stride from 1 and a padding from 0")));
        const extents padded{padded_size(height), padded_size(width)};
        if (padded.count_or_none(1) < 0)
            core::raise(
                shape_error(storage::sentence(call, ": images of shape ", shape, " with padding ", padding,
                                              " have more elements than there can be; give a smaller padding")));
        const auto positions = [&](index size, index window_size) { return (size - window_size) / stride + 1; };
        if (window_height < 1 || window_width < 1 || padded[0] < window_height || padded[1] < window_width)
            core::raise(shape_error(storage::sentence(call, ": a window of ", window_height, " x ", window_width,
                                                      " does not fit into images of shape ", shape, " with padding ",
                                                      padding, "; give a smaller window or more padding")));
        result_height = positions(padded[0], window_height);
        result_width = positions(padded[1], window_width);
    }
    /// A size with padding at both ends; -1 if it does not fit an index.
    [[nodiscard]] index padded_size(index size) const {
        index both = 0;
        return __builtin_mul_overflow(padding, index{2}, &both) || __builtin_add_overflow(size, both, &size) ? -1
                                                                                                             : size;
    }
    [[nodiscard]] index patch() const { return channels * window_height * window_width; }
    [[nodiscard]] index places() const { return result_height * result_width; }
    [[nodiscard]] index image() const { return channels * height * width; }

    /// Calls f(row of the patch matrix, first column, number of columns, source or -1) for runs of columns that read
    /// pixels `stride` apart, or padding (-1).
    template <class F>
    void for_each_run(F f) const {
        index row = 0;
        for (index channel = 0; channel < channels; ++channel)
            for (index i = 0; i < window_height; ++i)
                for (index j = 0; j < window_width; ++j, ++row) {
                    // Positions q with 0 <= q * stride + j - padding < width.
                    const index least = padding > j ? (padding - j - 1) / stride + 1 : 0;
                    const index last = width + padding - j - 1;
                    const index end = last < 0 ? 0 : std::min(result_width, last / stride + 1);
                    const index begin = std::min(least, end);
                    for (index p = 0; p < result_height; ++p) {
                        const index y = p * stride + i - padding, column = p * result_width;
                        if (y < 0 || y >= height) {
                            f(row, column, result_width, index{-1});
                            continue;
                        }
                        f(row, column, begin, index{-1});
                        f(row, column + begin, end - begin,
                          (channel * height + y) * width + begin * stride + j - padding);
                        f(row, column + end, result_width - end, index{-1});
                    }
                }
    }
};

/// The operation of conv2d().
template <arithmetic T>
class convolution final : public operation<convolution<T>, T, 2> {
public:
    static constexpr const char* called = "conv2d";

    /// Both must be contiguous.
    void compute(const node<T>& x, const node<T>& kernels, const window& moving) {
        sizes_ = {x.shape[0],       x.shape[1],       x.shape[2],    x.shape[3],
                  kernels.shape[2], kernels.shape[3], moving.stride, moving.padding};
        sizes_.place(called, x.shape);
        kernels_ = kernels.shape[0];
        this->make_dense({sizes_.images, kernels_, sizes_.result_height, sizes_.result_width});
        const storage::buffer_reference patches = room();
        for (index image = 0; image < sizes_.images; ++image) {
            unfold(x.numbers + image * sizes_.image(), patches->template numbers<T>());
            kernels::multiply(operand::as_is, operand::as_is, kernels_, sizes_.places(), sizes_.patch(), T(1),
                              kernels.numbers, sizes_.patch(), patches->template numbers<T>(), sizes_.places(), false,
                              this->numbers + image * kernels_ * sizes_.places(), sizes_.places());
        }
        record(*this, reading::first | reading::second, x, kernels);
        if (!this->wants_gradient) return;
        for (index image = 0; image < sizes_.images && !has_infinities_; ++image)
            has_infinities_ =
                kernels::shows_infinity(this->numbers + image * kernels_ * sizes_.places(), kernels_, sizes_.places());
    }
    void propagate() {
        node<T>&x = this->at(0), &kernels = this->at(1);
        const storage::buffer_reference patches = room();
        T* const unfolded = patches->template numbers<T>();
        const T* g = this->gradient_numbers();
        auto [of_kernels, adds] = this->wanted(1) ? kernels.take_gradient() : gradient_target<T>{};
        T* const of_x = this->wanted(0) ? x.add_to_gradient() : nullptr;
        for (index image = 0; image < sizes_.images; ++image, g += kernels_ * sizes_.places()) {
            if (of_kernels != nullptr) {
                unfold(x.numbers + image * sizes_.image(), unfolded);
                multiply_gradient(true, operand::as_is, operand::transposed, kernels_, sizes_.patch(), sizes_.places(),
                                  g, sizes_.places(), unfolded, sizes_.places(), adds || image != 0, of_kernels,
                                  sizes_.patch());
            }
            if (of_x != nullptr) {
                multiply_gradient(false, operand::transposed, operand::as_is, sizes_.patch(), sizes_.places(), kernels_,
                                  kernels.numbers, sizes_.patch(), g, sizes_.places(), false, unfolded,
                                  sizes_.places());
                fold(unfolded, of_x + image * sizes_.image());
            }
        }
        if (sizes_.images == 0 && of_kernels != nullptr && !adds) std::fill_n(of_kernels, kernels.count, T(0));
    }

private:
    void multiply_gradient(bool gradient_is_a, operand op_a, operand op_b, index m, index n, index k, const T* a,
                           index a_row, const T* b, index b_row, bool adds, T* c, index c_row) const {
        if (has_infinities_) [[unlikely]]
            kernels::multiply_gradient(gradient_is_a, op_a, op_b, m, n, k, T(1), a, a_row, b, b_row, adds, c, c_row);
        else
            kernels::multiply(op_a, op_b, m, n, k, T(1), a, a_row, b, b_row, adds, c, c_row);
    }
    [[nodiscard]] storage::buffer_reference room() const {
        const index elements =
            extents{sizes_.patch(), sizes_.places()}.count("conv2d: the matrix of patches", sizeof(T));
        return storage::buffer_reference(storage::buffer::make(static_cast<std::size_t>(elements) * sizeof(T)));
    }
    void unfold(const T* image, T* patches) const {
        sizes_.for_each_run([&](index row, index column, index size, index source) {
            T* const to = patches + row * sizes_.places() + column;
            if (source < 0)
                std::fill_n(to, size, T(0));
            else
                for (index k = 0; k < size; ++k) to[k] = image[source + k * sizes_.stride];
        });
    }
    void fold(const T* patches, T* image) const {
        sizes_.for_each_run([&](index row, index column, index size, index source) {
            if (source < 0) return;
            const T* const from = patches + row * sizes_.places() + column;
            for (index k = 0; k < size; ++k) image[source + k * sizes_.stride] += from[k];
        });
    }
    window_sizes sizes_{};
    index kernels_ = 0;
    bool has_infinities_ = false;
};

/// The operation of max_pool2d(). If elements tie, the first one in row-major order gets the gradient.
template <arithmetic T>
class max_pooling final : public operation<max_pooling<T>, T, 1> {
public:
    static constexpr const char* called = "max_pool2d";

    /// x must be contiguous.
    void compute(const node<T>& x, index size, const pooling_window& moving) {
        window_sizes sizes{x.shape[0],    x.shape[1], x.shape[2], x.shape[3], size, size, moving.stride.value_or(size),
                           moving.padding};
        sizes.place(called, x.shape);
        if (moving.padding * 2 > size)
            core::raise(shape_error(
                storage::sentence(called, ": padding ", moving.padding, " is more than half the window ", size,
                                  ", so that some windows would see no element; give a smaller padding")));
        if (sizes.height == 0 || sizes.width == 0)
            core::raise(shape_error(storage::sentence(called, ": images of shape ", x.shape,
                                                      " have no elements; give a height and a width from 1")));
        this->make_dense({sizes.images, sizes.channels, sizes.result_height, sizes.result_width});
        places_ =
            storage::buffer_reference(storage::buffer::make(static_cast<std::size_t>(this->count) * sizeof(index)));
        index* place = places_->template numbers<index>();
        T* result = this->numbers;
        for (index plane = 0; plane < sizes.images * sizes.channels; ++plane)
            for (index p = 0; p < sizes.result_height; ++p)
                for (index q = 0; q < sizes.result_width; ++q) {
                    const index top = p * sizes.stride - sizes.padding, left = q * sizes.stride - sizes.padding;
                    index best = -1;
                    for (index y = std::max<index>(top, 0); y < std::min(top + size, sizes.height); ++y)
                        for (index z = std::max<index>(left, 0); z < std::min(left + size, sizes.width); ++z) {
                            const index at = (plane * sizes.height + y) * sizes.width + z;
                            const T value = x.numbers[at];
                            if (best < 0 || value > x.numbers[best] ||
                                (value != value && x.numbers[best] == x.numbers[best]))
                                best = at;
                        }
                    *place++ = best;
                    *result++ = x.numbers[best];
                }
        record(*this, reading::nothing, x);
    }
    void propagate() {
        T* const target = this->at(0).add_to_gradient();
        const index* const place = places_->template numbers<index>();
        for (index i = 0; i < this->count; ++i) target[place[i]] += this->gradient_numbers()[i];
    }

private:
    storage::buffer_reference places_;
};

} // namespace operations

/// The cross-correlation of images of shape (images, channels, height, width) with kernels of shape (kernels, channels,
/// height, width). The result has shape (images, kernels, down, across), where down = (height + 2 padding - kernel
/// height) / stride + 1. Throws shape_error if the channels differ or a kernel does not fit.
template <std::floating_point T>
[[nodiscard]] tensor<T> conv2d(const tensor<T>& x, const tensor<T>& kernels, const window& moving = {}) {
    if (x.rank() != 4 || kernels.rank() != 4 || x.shape()[1] != kernels.shape()[1])
        core::raise(shape_error(
            storage::sentence("conv2d: images of shape ", x.shape(), " and kernels of shape ", kernels.shape(),
                              "; give (images, channels, height, width) and (kernels, channels, height, width)")));
    const tensor<T> images = contiguous(x), packed = contiguous(kernels);
    return graph::computed<operations::convolution<T>>(images.node(), packed.node(), moving);
}
/// The same plus one bias per kernel, of shape (kernels,).
template <std::floating_point T, std::same_as<tensor<T>> Bias>
[[nodiscard]] tensor<T> conv2d(const tensor<T>& x, const tensor<T>& kernels, const Bias& bias,
                               const window& moving = {}) {
    if (kernels.rank() == 4 && bias.shape() != extents{kernels.shape()[0]})
        core::raise(shape_error(storage::sentence("conv2d: a bias of shape ", bias.shape(), " for kernels of shape ",
                                                  kernels.shape(), "; give one number per kernel")));
    return conv2d(x, kernels, moving) + reshape(bias, {bias.count(), 1, 1});
}

/// The largest element of each window of size x size, per channel. The stride is `size` by default. Throws shape_error
/// if the window does not fit, or if the padding is more than half of it.
template <std::floating_point T>
[[nodiscard]] tensor<T> max_pool2d(const tensor<T>& x, index size, const pooling_window& moving = {}) {
    if (x.rank() != 4)
        core::raise(shape_error(
            storage::sentence("max_pool2d: images of shape ", x.shape(), "; give (images, channels, height, width)")));
    const tensor<T> images = contiguous(x);
    return graph::computed<operations::max_pooling<T>>(images.node(), size, moving);
}

} // namespace chainrule::tensor
