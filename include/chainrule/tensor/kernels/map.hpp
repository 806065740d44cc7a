// SPDX-License-Identifier: BSL-1.0
//
// Element-wise loops over strided tensors: target = f(sources...) and target += f(sources...), and the same for
// products that need care if they are not finite.
#pragma once

#include <chainrule/tensor/kernels/finite.hpp>
#include <chainrule/tensor/kernels/loops.hpp>

#include <algorithm>
#include <functional>
#include <tuple>

namespace chainrule::tensor::kernels {

/// What a loop does with each result. That of short integers is an int.
struct overwrite {
    template <class T, class Result>
    [[gnu::always_inline]] void operator()(T& at, Result value) const {
        at = static_cast<T>(value);
    }
};
struct accumulate {
    template <class T, class Result>
    [[gnu::always_inline]] void operator()(T& at, Result value) const {
        at = static_cast<T>(at + value);
    }
};

/// Calls store(to[i], f(from[i]...)) for consecutive numbers, in groups that compilers unroll: that saves a third of
/// the instructions. `to` must be one of the sources or overlap none.
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

/// An innermost loop of map().
template <class T, class Store, class F, std::size_t... k, class... Source>
[[gnu::always_inline]] inline void map_run(Store store, F f, index size,
                                           const std::array<index, 1 + sizeof...(k)>& step, bool consecutive,
                                           std::index_sequence<k...>, T* to, const Source*... from) {
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
    const loop_nest<count> steps(shape, strides...);
    const index size = steps.inner().size;
    const std::array<index, count>& step = steps.inner().strides;
    bool consecutive = true;
    for (const index s : step) consecutive = consecutive && s == 1;
    for_each_run(steps, [&, size](const std::array<index, count>& at) {
        map_run(store, f, size, step, consecutive, all, target + at[0], (std::get<k>(sources) + at[k + 1])...);
    });
}

/// target[i] = f(source[i]...), or target[i] += f(source[i]...) if it adds. The strides are those of the target and of
/// each source.
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

/// A source in an innermost loop of map_products(), in blocks: consecutive numbers, or one that is repeated.
template <class Source>
class block_source {
public:
    static constexpr index block = 512;

    block_source(const Source* from, index step, index size) : from_(from), repeats_(step == 0) {
        if (repeats_) std::fill_n(repeated_, std::min(size, block), *from);
    }
    [[nodiscard]] const Source* at(index begin) const { return repeats_ ? repeated_ : from_ + begin; }
    [[nodiscard]] bool overlaps(const void* target) const { return from_ == target; }

private:
    const Source* from_;
    bool repeats_;
    Source repeated_[block];
};

/// An innermost loop of map_products() over consecutive numbers.
template <class T, class Product, class Careful, class... Source>
[[gnu::always_inline]] inline void multiply_run(T* to, bool adds, index size, Product product, Careful careful,
                                                const block_source<Source>&... from) {
    constexpr index block = block_source<T>::block;
    // A sum cannot be undone, and an overwritten source cannot be read again.
    const bool staged = adds || (... || from.overlaps(to));
    T terms[static_cast<std::size_t>(block)];
    for (index begin = 0; begin < size; begin += block) {
        const index length = std::min(block, size - begin);
        T* const written = staged ? terms : to + begin;
        consecutive_run(overwrite{}, product, length, written, from.at(begin)...);
        if (!are_finite(written, length)) [[unlikely]]
            for (index i = 0; i < length; ++i) written[i] = careful(from.at(begin)[i]...);
        if (adds)
            consecutive_run(accumulate{}, std::identity{}, length, to + begin, terms);
        else if (staged)
            std::copy_n(terms, length, to + begin);
    }
}

/// target[i] = product(source[i]...), or +=, like map(). Uses careful(source[i]...) instead where products are not
/// finite; elsewhere both functions must agree.
template <class T, class Product, class Careful, class... Source, class... Strides>
void map_products(const extents& shape, T* target, bool adds, Product product, Careful careful,
                  const std::tuple<const Source*...>& sources, const extents& target_strides,
                  const Strides&... strides) {
    constexpr std::size_t count = 1 + sizeof...(Source);
    const loop_nest<count> steps(shape, target_strides, strides...);
    const auto& step = steps.inner().strides;
    // To repeat a number pays in long loops only.
    const bool in_blocks =
        step[0] == 1 && std::all_of(step.begin(), step.end(), [size = steps.inner().size](index along) {
            return along == 1 || (along == 0 && size >= 256);
        });
    if (!in_blocks) return map(shape, target, adds, careful, sources, target_strides, strides...);
    const index size = steps.inner().size;
    for_each_run(steps, [&, size](const std::array<index, count>& at) {
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            multiply_run(target + at[0], adds, size, product, careful,
                         block_source<Source>(std::get<k>(sources) + at[k + 1], step[k + 1], size)...);
        }(std::make_index_sequence<sizeof...(Source)>{});
    });
}

} // namespace chainrule::tensor::kernels
