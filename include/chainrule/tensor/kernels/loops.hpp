// SPDX-License-Identifier: BSL-1.0
//
// Loops over the elements of strided tensors. Axes that lie one after the other in every tensor are joined first, so
// that most loops become one loop over consecutive numbers.
#pragma once

#include <chainrule/tensor/kernels/lanes.hpp>
#include <chainrule/tensor/storage/extents.hpp>

#include <array>
#include <functional>
#include <tuple>
#include <utility>

namespace chainrule::tensor::kernels {

/// The axes of a visit, outermost first, without those of size 1; neighbours joined where all strides allow it.
template <std::size_t Count>
struct plan {
    struct axis {
        index size;
        std::array<index, Count> strides;
    };
    // Plans live on the stack; only tensors of more axes than this take memory.
    static constexpr std::size_t inline_capacity = 6;
    axis few[inline_capacity];
    std::unique_ptr<axis[]> more;
    axis* axes = few;
    std::size_t rank = 0;
    bool empty = false;

    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;
    ~plan() = default;

    template <class... Strides>
    explicit plan(const extents& shape, const Strides&... strides) {
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

/// Calls run(offsets) once for every inner loop of the plan: the caller loops over plan.inner().
template <std::size_t Count, class Run>
void for_each_run(const plan<Count>& visit, Run run) {
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

/// Calls visit(offset, ...) for every element in row-major order, with the element's offset in each tensor.
template <class Visit, class... Strides>
void for_each(const extents& shape, Visit visit, const Strides&... strides) {
    constexpr std::size_t count = sizeof...(Strides);
    const plan<count> steps(shape, strides...);
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
void copy(const extents& shape, T* target, const extents& target_strides, const T* source, const extents& source_strides) {
    const plan<2> steps(shape, target_strides, source_strides);
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

/// The sum of numbers that lie `step` apart: in blocks of eight lanes, which are then added in pairs, so that the error
/// grows with the logarithm of the count (Higham, "The accuracy of floating point summation", 1993).
template <class T>
[[nodiscard]] T sum(const T* numbers, index size, index step) {
    constexpr index block = 128, lanes = 8;
    if (size > block) {
        const index half = size / 2 / lanes * lanes;
        return sum(numbers, half, step) + sum(numbers + half * step, size - half, step);
    }
    T lane[lanes] = {};
    index i = 0;
    if (step == 1)
        for (; i + lanes <= size; i += lanes)
            for (index k = 0; k < lanes; ++k) lane[k] += numbers[i + k];
    else
        for (; i + lanes <= size; i += lanes)
            for (index k = 0; k < lanes; ++k) lane[k] += numbers[(i + k) * step];
    T total = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < size; ++i) total += numbers[i * step];
    return total;
}

/// Whether an operand of a matrix product, m x n without gaps, has an infinity or a NaN: that spoils a whole row or a
/// whole column, so that the sum of one of each tells. (So does an overflow; both are for the slower, careful way.)
template <class T>
[[nodiscard, gnu::always_inline]] inline bool shows_infinity(const T* product, index m, index n) {
    if (!std::is_floating_point_v<T> || m == 0 || n == 0) return false;
    T sum = 0;
    for (index j = 0; j < n; ++j) sum += product[j];
    const T* at = product + n;
    index rows = m - 1;
    for (; rows >= 4; rows -= 4, at += 4 * n) sum += (at[0] + at[n]) + (at[2 * n] + at[3 * n]);
    for (; rows > 0; --rows, at += n) sum += *at;
    return sum - sum != T(0);
}

/// target += source, element by element; along axes where the target's stride is 0 the source is summed. This is the
/// one place where a gradient is brought back to the shape of a value that was broadcast, and where sums are taken.
template <class T>
void add_to(const extents& shape, T* target, const extents& target_strides, const T* source, const extents& source_strides) {
    const plan<2> steps(shape, target_strides, source_strides);
    const auto [size, step] = steps.inner();
    for_each_run(steps, [&](std::array<index, 2> at) {
        T* to = target + at[0];
        const T* from = source + at[1];
        if (step[0] == 0)
            *to += sum(from, size, step[1]);
        else if (step[0] == 1 && step[1] == 1)
            for (index i = 0; i < size; ++i) to[i] += from[i];
        else
            for (index i = 0; i < size; ++i) to[i * step[0]] += from[i * step[1]];
    });
}

/// What a loop does with a result.
struct overwrite {
    template <class T>
    [[gnu::always_inline]] void operator()(T& at, T value) const {
        at = value;
    }
};
struct accumulate {
    template <class T>
    [[gnu::always_inline]] void operator()(T& at, T value) const {
        at += value;
    }
};

/// store(to[i], f(from[i]...)) for consecutive numbers: in groups that compilers unroll, which saves a third of the
/// instructions. No number may be read after another one was written: `to` is one of the sources, or overlaps none.
template <class T, class Store, class F, class... Source>
[[gnu::always_inline]] inline void consecutive_run(Store store, F f, index size, T* to, const Source*... from) {
    constexpr index group = 32;
    index i = 0;
    for (; i + group <= size; i += group) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
        for (index k = 0; k < group; ++k) store(to[i + k], f(from[i + k]...));
    }
    for (; i < size; ++i) store(to[i], f(from[i]...));
}

/// One inner loop of map().
template <class T, class Store, class F, std::size_t... k, class... Source>
[[gnu::always_inline]] inline void map_run(Store store, F f, index size, const std::array<index, 1 + sizeof...(k)>& step,
                                           bool consecutive, std::index_sequence<k...>, T* to, const Source*... from) {
    if (consecutive)
        consecutive_run(store, f, size, to, from...);
    else if (step[0] == 1 && (... && (step[k + 1] == 0 || step[k + 1] == 1)))
        for (index i = 0; i < size; ++i) store(to[i], f(from[step[k + 1] * i]...));
    else
        for (index i = 0; i < size; ++i) store(to[i * step[0]], f(from[i * step[k + 1]]...));
}

template <class T, class Store, class F, std::size_t... k, class... Source, class... Strides>
void map_runs(const extents& shape, Store store, F f, std::index_sequence<k...> all, T* target,
              const std::tuple<const Source*...>& sources, const Strides&... strides) {
    constexpr std::size_t count = 1 + sizeof...(k);
    const plan<count> steps(shape, strides...);
    const index size = steps.inner().size;
    const std::array<index, count>& step = steps.inner().strides;
    bool consecutive = true;
    for (const index s : step) consecutive = consecutive && s == 1;
    for_each_run(steps, [&, size](const std::array<index, count>& at) {
        map_run(store, f, size, step, consecutive, all, target + at[0], (std::get<k>(sources) + at[k + 1])...);
    });
}

/// target[i] = f(source[i]...), or, where it adds, target[i] += f(source[i]...). The strides are those of the target and
/// of each source.
template <class T, class F, class... Source, class... Strides>
void map(const extents& shape, T* target, bool adds, F f, const std::tuple<const Source*...>& sources,
         const extents& target_strides, const Strides&... strides) {
    static_assert(sizeof...(Source) == sizeof...(Strides));
    constexpr std::make_index_sequence<sizeof...(Source)> all;
    if (adds)
        map_runs(shape, accumulate{}, f, all, target, sources, target_strides, strides...);
    else
        map_runs(shape, overwrite{}, f, all, target, sources, target_strides, strides...);
}

/// Whether numbers are all finite, by their sum, which an infinity or a NaN spoils. (So does an overflow: false says
/// only that somebody has to look closer.)
template <class T>
[[nodiscard, gnu::always_inline]] inline bool are_finite(const T* numbers, index size) {
    T sum = 0;
    index i = 0;
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        constexpr auto width = static_cast<index>(native_lanes<T>);
        if (size >= 4 * width) {
            lanes<T> sums[4] = {};
            for (; i + 4 * width <= size; i += 4 * width)
                for (index k = 0; k < 4; ++k) sums[k] += load<native_lanes<T>>(numbers + i + k * width);
            sum = sum_of_lanes<native_lanes<T>, T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
        }
    }
    for (; i < size; ++i) sum += numbers[i];
    return sum - sum == T(0);
}

/// One inner loop of map_products(), over consecutive numbers.
template <class T, class Product, class Careful, class... Source>
[[gnu::always_inline]] inline void multiply_run(T* to, bool adds, index size, Product product, Careful careful,
                                                const Source*... from) {
    constexpr index block = 512;
    // What was added cannot be taken back, and a source that was overwritten cannot be read again.
    const bool staged = adds || (... || (static_cast<const void*>(from) == to));
    T terms[block];
    for (index begin = 0; begin < size; begin += block) {
        const index length = std::min(block, size - begin);
        T* const written = staged ? terms : to + begin;
        consecutive_run(overwrite{}, product, length, written, (from + begin)...);
        if (!are_finite(written, length)) [[unlikely]]
            for (index i = 0; i < length; ++i) written[i] = careful(from[begin + i]...);
        if (adds)
            consecutive_run(accumulate{}, std::identity{}, length, to + begin, terms);
        else if (staged)
            std::copy_n(terms, length, to + begin);
    }
}

/// target[i] = product(source[i]...), or +=, as map() does; where a product is not finite, careful(source[i]...) is
/// right and is computed instead.
template <class T, class Product, class Careful, class... Source, class... Strides>
void map_products(const extents& shape, T* target, bool adds, Product product, Careful careful,
                  const std::tuple<const Source*...>& sources, const extents& target_strides,
                  const Strides&... strides) {
    constexpr std::size_t count = 1 + sizeof...(Source);
    const plan<count> steps(shape, target_strides, strides...);
    for (const index step : steps.inner().strides)
        if (step != 1) return map(shape, target, adds, careful, sources, target_strides, strides...);
    const index size = steps.inner().size;
    for_each_run(steps, [&, size](const std::array<index, count>& at) {
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            multiply_run(target + at[0], adds, size, product, careful, (std::get<k>(sources) + at[k + 1])...);
        }(std::make_index_sequence<sizeof...(Source)>{});
    });
}

} // namespace chainrule::tensor::kernels
