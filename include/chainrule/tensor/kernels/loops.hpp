// SPDX-License-Identifier: BSL-1.0
//
// Loops over the elements of strided tensors: visiting and copying. Axes that are contiguous in every tensor are
// merged, so that most loops become one loop over consecutive numbers.
#pragma once

#include <chainrule/tensor/kernels/wrapping.hpp>
#include <chainrule/tensor/storage/extents.hpp>

#include <array>
#include <utility>

namespace chainrule::tensor::kernels {

/// The axes of a loop nest, outermost first: without axes of size 1, adjacent axes merged if all strides allow it.
template <std::size_t Count>
struct loop_nest {
    struct axis {
        index size;
        std::array<index, Count> strides;
    };
    // Nests live on the stack; only tensors of more axes than this take memory.
    static constexpr std::size_t inline_capacity = 6;
    axis few[inline_capacity];
    std::unique_ptr<axis[]> more;
    axis* axes = few;
    std::size_t rank = 0;
    bool empty = false;

    loop_nest(const loop_nest&) = delete;
    loop_nest& operator=(const loop_nest&) = delete;
    ~loop_nest() = default;

    template <class... Strides>
    explicit loop_nest(const extents& shape, const Strides&... strides) {
        if (shape.rank() > inline_capacity) {
            more = std::make_unique<axis[]>(shape.rank());
            axes = more.get();
        }
        for (std::size_t k = 0; k < shape.rank(); ++k) {
            const index size = shape[k];
            if (size == 0) empty = true;
            if (size == 1) continue;
            const axis next{size, {strides[k]...}};
            if (rank != 0 && joins(axes[rank - 1], next))
                axes[rank - 1] = {axes[rank - 1].size * size, next.strides};
            else
                axes[rank++] = next;
        }
        if (rank == 0) axes[rank++] = {1, {}};
    }

    [[nodiscard]] const axis& inner() const noexcept { return axes[rank - 1]; }

private:
    static bool joins(const axis& outer, const axis& inner) noexcept {
        for (std::size_t t = 0; t < Count; ++t)
            if (outer.strides[t] != inner.strides[t] * inner.size) return false;
        return true;
    }
};

/// Calls run(offsets) for every innermost loop of the nest; the caller loops over nest.inner().
template <std::size_t Count, class Run>
void for_each_run(const loop_nest<Count>& visit, Run run) {
    if (visit.empty) return;
    std::array<index, Count> offsets{};
    if (visit.rank == 1) return run(offsets);
    if (visit.rank == 2) {
        const auto& outer = visit.axes[0];
        for (index i = 0; i < outer.size; ++i) {
            run(offsets);
            for (std::size_t t = 0; t < Count; ++t) offsets[t] += outer.strides[t];
        }
        return;
    }
    extents position(visit.rank - 1, 0);
    for (;;) {
        run(offsets);
        std::size_t k = visit.rank - 1;
        for (;;) {
            if (k-- == 0) return;
            const auto& axis = visit.axes[k];
            for (std::size_t t = 0; t < Count; ++t) offsets[t] += axis.strides[t];
            if (++position[k] != axis.size) break;
            for (std::size_t t = 0; t < Count; ++t) offsets[t] -= axis.strides[t] * axis.size;
            position[k] = 0;
        }
    }
}

/// Calls visit(offset, ...) for every element in row-major order, with the offset of the element in each tensor.
template <class Visit, class... Strides>
void for_each(const extents& shape, Visit visit, const Strides&... strides) {
    constexpr std::size_t count = sizeof...(Strides);
    const loop_nest<count> steps(shape, strides...);
    const auto [size, step] = steps.inner();
    for_each_run(steps, [&](std::array<index, count> at) {
        const auto call = [&]<std::size_t... t>(std::index_sequence<t...>) {
            for (index i = 0; i < size; ++i) visit(at[t] + i * step[t]...);
        };
        call(std::make_index_sequence<count>());
    });
}

/// target = source, element by element; a stride of 0 repeats a number.
template <class T>
void copy(const extents& shape, T* target, const extents& target_strides, const T* source,
          const extents& source_strides) {
    const loop_nest<2> steps(shape, target_strides, source_strides);
    const auto [size, step] = steps.inner();
    for_each_run(steps, [&](std::array<index, 2> at) {
        T* to = target + at[0];
        const T* from = source + at[1];
        if (step[0] == 1 && step[1] == 1)
            std::copy_n(from, size, to);
        else
            for (index i = 0; i < size; ++i) to[i * step[0]] = from[i * step[1]];
    });
}

} // namespace chainrule::tensor::kernels
