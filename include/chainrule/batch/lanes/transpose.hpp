// SPDX-License-Identifier: BSL-1.0
//
// Rows of a table as lanes: registers loaded from rows are transposed, which takes fewer instructions than gathering
// each column.
#pragma once

#include <chainrule/batch/lanes/reductions.hpp>
#include <chainrule/core/lanes.hpp>

namespace chainrule::batches {

#if !defined(__CUDACC__)

// Exchanges the blocks beside the diagonal of blocks of 2 * Step lanes: of rows a and b, which are Step apart.
template <std::size_t Step, class T, std::size_t Count, std::size_t... I>
[[gnu::always_inline]] inline void exchange(vector_number<T, Count>& a, vector_number<T, Count>& b,
                                            std::index_sequence<I...>) {
    const auto first = a.value, second = b.value;
    a.value = CHAINRULE_LANES_OF(first, second, ((I & Step) != 0 ? Count + I - Step : I)...);
    b.value = CHAINRULE_LANES_OF(first, second, ((I & Step) != 0 ? Count + I : I + Step)...);
}
template <std::size_t Step, class T, std::size_t Count>
[[gnu::always_inline]] inline void transpose(vector_number<T, Count>* rows) {
    if constexpr (Step > 0) {
        for_each_index<Count>([&](std::size_t i) __attribute__((always_inline)) {
            if ((i & Step) == 0) exchange<Step>(rows[i], rows[i + Step], std::make_index_sequence<Count>{});
        });
        transpose<Step / 2>(rows);
    }
}

/// The first `Columns` numbers of as many rows as there are lanes, at most one per lane. Reads a whole register of
/// each.
template <std::size_t Columns, class T, std::size_t Count>
[[gnu::always_inline]] inline void load_transposed(vector_number<T, Count>* to, const T* from, std::ptrdiff_t stride) {
    vector_number<T, Count> rows[Count];
    for_each_index<Count>([&](std::size_t i) __attribute__((always_inline)) {
        rows[i] = load<vector_number<T, Count>>(from + static_cast<std::ptrdiff_t>(i) * stride);
    });
    transpose<Count / 2>(rows);
    for_each_index<Columns>([&](std::size_t j) __attribute__((always_inline)) { to[j] = rows[j]; });
}

#endif

/// The numbers of rows, one row per lane: to[j] has number j of each. What lies behind `end` is not read.
template <std::size_t Columns, class L>
[[gnu::always_inline]] inline void load_rows(L* to, const element<L>* from, std::ptrdiff_t stride,
                                             [[maybe_unused]] const element<L>* end) {
#if !defined(__CUDACC__)
    constexpr std::size_t lanes = lane_count<L>;
    if constexpr (lanes > 1 && Columns > 1) {
        constexpr std::size_t part = Columns < lanes ? Columns : lanes;
        if (part == lanes || end - from >= static_cast<std::ptrdiff_t>(lanes - 1) * stride + std::ptrdiff_t{lanes}) {
            load_transposed<part>(to, from, stride);
            // The last columns of a wide row once more with some before them, so that whole registers are read.
            if constexpr (Columns >= 2 * lanes)
                load_rows<Columns - lanes>(to + lanes, from + lanes, stride, end);
            else if constexpr (Columns > lanes)
                load_transposed<lanes>(to + (Columns - lanes), from + (Columns - lanes), stride);
            return;
        }
    }
#endif
    for_each_index<Columns>([&](std::size_t j) __attribute__((always_inline)) { to[j] = gather<L>(from + j, stride); });
}

} // namespace chainrule::batches
