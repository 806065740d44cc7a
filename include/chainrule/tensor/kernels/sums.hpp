// SPDX-License-Identifier: BSL-1.0
//
// Sums over the axes of strided tensors, pairwise as in sum_of.hpp.
#pragma once

#include <chainrule/tensor/kernels/loops.hpp>
#include <chainrule/tensor/kernels/sum_of.hpp>
#include <chainrule/tensor/storage/memory.hpp>

#include <algorithm>
#include <cstddef>

namespace chainrule::tensor::kernels {

/// The sum of numbers that are `step` apart, in eight lanes.
template <class T>
[[nodiscard]] T sum(const T* numbers, index size, index step) {
    constexpr index block = 128, lanes = 8;
    if (size > block) {
        const index half = size / 2 / lanes * lanes;
        return plus(sum(numbers, half, step), sum(numbers + half * step, size - half, step));
    }
    T lane[lanes] = {};
    index i = 0;
    if (step == 1)
        for (; i + lanes <= size; i += lanes)
            for (index k = 0; k < lanes; ++k) lane[k] = plus(lane[k], numbers[i + k]);
    else
        for (; i + lanes <= size; i += lanes)
            for (index k = 0; k < lanes; ++k) lane[k] = plus(lane[k], numbers[(i + k) * step]);
    T total = plus(plus(plus(lane[0], lane[1]), plus(lane[2], lane[3])),
                   plus(plus(lane[4], lane[5]), plus(lane[6], lane[7])));
    for (; i < size; ++i) total = plus(total, numbers[i * step]);
    return total;
}

/// sums += factor times the sum of the rows, each of `columns` numbers. Allocates nothing.
template <class T>
void add_rows(const T* numbers, index rows, index columns, T factor, T* sums) {
    constexpr index width = 32;
    struct strip {
        T lane[width];
    };
    const auto sum_rows = [columns](const auto& self, const T* from, index count, index size) -> strip {
        strip total{};
        if (count > most_in_turn) {
            const index half = count / 2;
            total = self(self, from, half, size);
            const strip rest = self(self, from + half * columns, count - half, size);
            for (index j = 0; j < width; ++j) total.lane[j] = plus(total.lane[j], rest.lane[j]);
        } else if (size == width) {
            for (; count > 0; --count, from += columns)
                for (index j = 0; j < width; ++j) total.lane[j] = plus(total.lane[j], from[j]);
        } else {
            for (; count > 0; --count, from += columns)
                for (index j = 0; j < size; ++j) total.lane[j] = plus(total.lane[j], from[j]);
        }
        return total;
    };
    if (rows <= most_in_turn) {
        for (const T *row = numbers, *const end = numbers + rows * columns; row != end; row += columns)
            for (index j = 0; j < columns; ++j) sums[j] = plus_product(sums[j], factor, row[j]);
        return;
    }
    for (index first = 0; first < columns; first += width) {
        const index size = std::min(width, columns - first);
        const strip total = sum_rows(sum_rows, numbers + first, rows, size);
        for (index j = 0; j < size; ++j) sums[first + j] = plus_product(sums[first + j], factor, total.lane[j]);
    }
}

/// Adds the runs of a nest of a target and a source one after the other.
template <class T>
void add_runs(const loop_nest<2>& steps, T* target, const T* source) {
    const auto [size, step] = steps.inner();
    for_each_run(steps, [&](std::array<index, 2> at) {
        T* to = target + at[0];
        const T* from = source + at[1];
        if (step[0] == 0)
            *to = plus(*to, sum(from, size, step[1]));
        else if (step[0] == 1 && step[1] == 1)
            for (index i = 0; i < size; ++i) to[i] = plus(to[i], from[i]);
        else
            for (index i = 0; i < size; ++i) to[i * step[0]] = plus(to[i * step[0]], from[i * step[1]]);
    });
}

/// The outermost axis along which runs are added to the same numbers, if there are too many to add in turn; or null.
inline loop_nest<2>::axis* axis_to_halve(loop_nest<2>& steps) {
    index runs = 1;
    loop_nest<2>::axis* outermost = nullptr;
    for (std::size_t k = steps.rank - 1; k-- > 0;) {
        if (steps.axes[k].strides[0] != 0 || steps.axes[k].size == 1) continue;
        runs *= steps.axes[k].size;
        outermost = &steps.axes[k];
    }
    return runs > most_in_turn ? outermost : nullptr;
}

/// The same as add_runs(), pairwise, for a target of that many numbers; `spare` has as many for each time that runs are
/// halved.
template <class T>
void add_halves(loop_nest<2>& steps, T* target, const T* source, index count, T* spare) {
    loop_nest<2>::axis* const axis = axis_to_halve(steps);
    if (axis == nullptr) return add_runs(steps, target, source);
    const index size = axis->size, half = size / 2;
    axis->size = half;
    add_halves(steps, target, source, count, spare);
    axis->size = size - half;
    std::fill_n(spare, count, T(0));
    add_halves(steps, spare, source + half * axis->strides[1], count, spare + count);
    axis->size = size;
    for (index i = 0; i < count; ++i) target[i] = plus(target[i], spare[i]);
}

/// How often add_halves() halves runs, at most.
inline index times_halved(loop_nest<2>& steps) {
    loop_nest<2>::axis* const axis = axis_to_halve(steps);
    if (axis == nullptr) return 0;
    const index size = axis->size;
    axis->size -= size / 2;
    const index times = 1 + times_halved(steps);
    axis->size = size;
    return times;
}

/// target += source, element by element; sums over axes along which the stride of the target is 0. All sums, and all
/// gradients of broadcast values, are computed here.
template <class T>
void add_to(const extents& shape, T* target, const extents& target_strides, const T* source,
            const extents& source_strides) {
    loop_nest<2> steps(shape, target_strides, source_strides);
    if (steps.empty) return;
    if (axis_to_halve(steps) == nullptr) return add_runs(steps, target, source);
    // Into numbers that lie together, and from there to the target.
    index count = 1;
    loop_nest<2> results(shape, target_strides, source_strides);
    for (std::size_t k = steps.rank; k-- > 0;) {
        auto& axis = steps.axes[k];
        const bool kept = axis.strides[0] != 0;
        if (kept) axis.strides[0] = count;
        if (kept) count *= axis.size;
        results.axes[k].strides[1] = axis.strides[0];
        if (!kept) results.axes[k].size = 1;
    }
    const auto bytes = static_cast<std::size_t>((1 + times_halved(steps)) * count) * sizeof(T);
    const storage::buffer_reference memory(storage::buffer::make(bytes));
    T* const sums = memory->template numbers<T>();
    std::fill_n(sums, count, T(0));
    add_halves(steps, sums, source, count, sums + count);
    add_runs(results, target, static_cast<const T*>(sums));
}

} // namespace chainrule::tensor::kernels
