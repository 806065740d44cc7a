// SPDX-License-Identifier: BSL-1.0
//
// Reductions over axes: sum, mean, variance, max, min and argmax.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/operations/views.hpp>

#include <cmath>

namespace chainrule::tensor {

/// The axes of a reduction, all by default: `sum(x)`, `sum(x, 0)`, `sum(x, {0, -1}, keepdim)`.
class axes {
public:
    axes() = default;
    axes(index axis) : chosen_{axis}, all_(false) {}
    axes(std::initializer_list<index> chosen) : chosen_(chosen), all_(false) {}

    /// A list with 1 for each reduced axis of the shape and 0 for the others. Throws shape_error for axes that do not
    /// exist or are named twice.
    [[nodiscard]] extents reduced(const char* call, const extents& shape) const {
        extents marks(shape.rank(), all_ ? 1 : 0);
        for (const index axis : chosen_)
            if (std::exchange(marks[storage::axis_of(call, axis, shape.rank())], 1) != 0)
                core::raise(
                    shape_error(storage::sentence(call, ": axis ", axis, " is named twice; name each axis once")));
        return marks;
    }

private:
    extents chosen_;
    bool all_ = true;
};

/// Whether reduced axes are removed, or kept with size 1.
enum class reduced_axes : bool { removed, kept };
/// As the last argument of a reduction: reduced axes are kept with size 1.
inline constexpr reduced_axes keepdim = reduced_axes::kept;

namespace operations {

/// The shape of the result, and its strides when it is read in the shape of the argument.
struct reduction_shape {
    extents result;
    extents strides;
    index reduced_count = 1; // elements per result

    reduction_shape(const char* call, const extents& shape, const axes& over, reduced_axes keeping)
        : strides(shape.rank(), 0) {
        const extents marks = over.reduced(call, shape);
        const auto reduced = static_cast<std::size_t>(std::count(marks.begin(), marks.end(), 1));
        extents kept = shape;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            if (marks[axis] != 0) {
                reduced_count *= shape[axis];
                kept[axis] = 1;
            }
        strides = storage::dense_strides(kept);
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            if (marks[axis] != 0) strides[axis] = 0;
        if (keeping == reduced_axes::kept) {
            result = kept;
            return;
        }
        result = extents(shape.rank() - reduced, 0);
        for (std::size_t axis = 0, next = 0; axis < shape.rank(); ++axis)
            if (marks[axis] == 0) result[next++] = shape[axis];
    }
};

/// The operation of sum() and mean().
template <arithmetic T>
class summation final : public operation<summation<T>, T, 1> {
public:
    static constexpr const char* called = "sum";
    [[nodiscard]] const char* name() const noexcept override { return divides_ ? "mean" : called; }

    void compute(const node<T>& x, const axes& over, reduced_axes keeping, bool mean) {
        divides_ = mean;
        reduction_shape reduced(name(), x.shape, over, keeping);
        this->make_dense(std::move(reduced.result));
        std::fill_n(this->numbers, this->count, T(0));
        kernels::add_to(x.shape, this->numbers, reduced.strides, x.numbers, x.strides);
        strides_in_argument_ = std::move(reduced.strides);
        divisor_ = static_cast<T>(reduced.reduced_count);
        if (mean)
            for (index i = 0; i < this->count; ++i) this->numbers[i] /= divisor_;
        record(*this, reading::nothing, x);
    }
    void propagate() {
        node<T>& x = this->at(0);
        const auto [target, adds] = x.take_gradient();
        const T divisor = divides_ ? divisor_ : T(1);
        kernels::map(
            x.shape, target, adds, [divisor](T g) { return g / divisor; },
            std::tuple<const T*>(this->gradient_numbers()), storage::dense_strides(x.shape), strides_in_argument_);
    }

private:
    extents strides_in_argument_;
    T divisor_ = 1;
    bool divides_ = false;
};

/// The operation of max() (Sign = 1) and min() (Sign = -1).
template <arithmetic T, int Sign>
class extremum final : public operation<extremum<T, Sign>, T, 1> {
public:
    static constexpr const char* called = Sign > 0 ? "max" : "min";

    void compute(const node<T>& x, const axes& over, reduced_axes keeping) {
        reduction_shape reduced(called, x.shape, over, keeping);
        if (reduced.reduced_count == 0)
            core::raise(shape_error(storage::sentence(called, ": shape ", x.shape,
                                                      " has no elements along the axes; there is no ", called)));
        this->make_dense(std::move(reduced.result));
        strides_in_argument_ = std::move(reduced.strides);
        constexpr T none = Sign > 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
        constexpr T worst = !std::numeric_limits<T>::has_infinity ? none
                            : Sign > 0                            ? -std::numeric_limits<T>::infinity()
                                                                  : std::numeric_limits<T>::infinity();
        std::fill_n(this->numbers, this->count, worst);
        kernels::for_each(
            x.shape,
            [&](index from, index to) {
                const T value = x.numbers[from];
                T& best = this->numbers[to];
                if ((Sign > 0 ? value > best : value < best) || value != value) best = value;
            },
            x.strides, strides_in_argument_);
        record(*this, reading::first | reading::result, x);
    }
    void propagate() {
        node<T>& x = this->at(0);
        const storage::buffer_reference ties(
            storage::buffer::make(static_cast<std::size_t>(this->count) * sizeof(index)));
        index* const tied = ties->template numbers<index>(); // a float could not count beyond 2^24
        std::fill_n(tied, this->count, 0);
        const auto wins = [&](index from, index to) { return !(x.numbers[from] != this->numbers[to]); };
        kernels::for_each(
            x.shape, [&](index from, index to) { tied[to] += wins(from, to); }, x.strides, strides_in_argument_);
        T* const target = x.add_to_gradient();
        const T* const g = this->gradient_numbers();
        kernels::for_each(
            x.shape,
            [&](index into, index from, index to) {
                if (this->numbers[to] != this->numbers[to])
                    target[into] += g[to] != T(0) ? g[to] * this->numbers[to] : T(0);
                else if (wins(from, to))
                    target[into] += g[to] / static_cast<T>(tied[to]);
            },
            storage::dense_strides(x.shape), x.strides, strides_in_argument_);
    }

private:
    extents strides_in_argument_;
};

} // namespace operations

/// The sum over axes; 0 if there is nothing to sum.
template <arithmetic T>
requires(!std::same_as<T, bool>)
[[nodiscard]] tensor<T> sum(const tensor<T>& x, const axes& over = {}, reduced_axes keeping = reduced_axes::removed) {
    return graph::computed<operations::summation<T>>(x.node(), over, keeping, false);
}
/// The number of elements that are true.
[[nodiscard]] inline tensor<index> sum(const tensor<bool>& x, const axes& over = {},
                                       reduced_axes keeping = reduced_axes::removed) {
    tensor<index> numbers = empty<index>(x.shape());
    kernels::map(
        x.shape(), numbers.node().numbers, false, [](bool holds) { return static_cast<index>(holds); },
        std::tuple<const bool*>(x.node().numbers), numbers.strides(), x.strides());
    return sum(numbers, over, keeping);
}
/// The mean over axes; NaN if there are no elements.
template <std::floating_point T>
[[nodiscard]] tensor<T> mean(const tensor<T>& x, const axes& over = {}, reduced_axes keeping = reduced_axes::removed) {
    return graph::computed<operations::summation<T>>(x.node(), over, keeping, true);
}
/// The variance over axes: the sum of squared distances from the mean, divided by the count minus `correction`; 1 gives
/// the unbiased estimate (Bessel). NaN if there are no elements.
template <std::floating_point T>
[[nodiscard]] tensor<T> variance(const tensor<T>& x, const axes& over = {},
                                 reduced_axes keeping = reduced_axes::removed, index correction = 0) {
    const auto counted =
        static_cast<T>(operations::reduction_shape("variance", x.shape(), over, keeping).reduced_count);
    const tensor<T> distance = x - mean(x, over, keepdim);
    const tensor<T> squares = mean(distance * distance, over, keeping);
    return correction == 0 ? squares : squares * (counted / (counted - static_cast<T>(correction)));
}
/// The largest element over axes. Tied elements share the gradient equally; NaN if an element is NaN. Throws
/// shape_error if there are no elements.
template <arithmetic T>
[[nodiscard]] tensor<T> max(const tensor<T>& x, const axes& over = {}, reduced_axes keeping = reduced_axes::removed) {
    return graph::computed<operations::extremum<T, 1>>(x.node(), over, keeping);
}
/// The smallest element over axes. Tied elements share the gradient equally; NaN if an element is NaN. Throws
/// shape_error if there are no elements.
template <arithmetic T>
[[nodiscard]] tensor<T> min(const tensor<T>& x, const axes& over = {}, reduced_axes keeping = reduced_axes::removed) {
    return graph::computed<operations::extremum<T, -1>>(x.node(), over, keeping);
}

/// The position of the largest element along an axis: the first one if elements tie, the first NaN if there is one.
/// Throws shape_error if there are no elements.
template <arithmetic T>
[[nodiscard]] tensor<index> argmax(const tensor<T>& x, index axis, reduced_axes keeping = reduced_axes::removed) {
    const std::size_t a = storage::axis_of("argmax", axis, x.rank());
    if (x.shape()[a] == 0)
        core::raise(shape_error(storage::sentence("argmax: shape ", x.shape(), " has no elements along axis ", axis,
                                                  "; there is no largest one")));
    const operations::reduction_shape reduced("argmax", x.shape(), axis, keeping);
    tensor<index> result = full<index>(reduced.result, 0);
    const tensor<T> packed = x.contiguous() ? x : x.detach().clone();
    const extents strides =
        storage::dense_strides(x.shape()); // those of the tensor may be anything along axes of size 1
    const index step = strides[a];
    const T* const numbers = packed.node().numbers;
    index* const best = result.node().numbers;
    kernels::for_each(
        x.shape(),
        [&](index from, index to) {
            const index at = from / step % x.shape()[a];
            const T value = numbers[from], leader = numbers[from + (best[to] - at) * step];
            if (value > leader || (value != value && leader == leader)) best[to] = at;
        },
        strides, reduced.strides);
    return result;
}
/// The position of the largest element in row-major order.
template <arithmetic T>
[[nodiscard]] index argmax(const tensor<T>& x) {
    return argmax(reshape(x.detach(), {x.count()}), 0).item();
}

} // namespace chainrule::tensor
