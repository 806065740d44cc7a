// SPDX-License-Identifier: BSL-1.0
//
// The order of a reduction: rows in blocks of fixed size, lanes within a block, and a fixed tree over the blocks. So
// results depend neither on the number of threads nor on how data are cut into chunks.
#pragma once

#include <chainrule/batch/lanes/reductions.hpp>

#include <array>
#include <bit>

namespace chainrule::batches {

/// Rows that are reduced in one go.
inline constexpr std::size_t rows_per_block = 1024;

/// The lanes 0, 1, ... that are below a count.
template <class L>
[[gnu::always_inline]] inline auto lanes_below(std::size_t count) {
    using T = element<L>;
    std::array<T, lane_count<L>> numbers{};
    for (std::size_t k = 0; k < lane_count<L>; ++k) numbers[k] = static_cast<T>(k);
    return load<L>(numbers.data()) < L(static_cast<T>(count));
}

/// Absorbs terms in the lanes that are valid.
template <class Reduction, class L, class Mask>
[[gnu::always_inline]] inline void absorb_where(const Mask& valid, L* state, const L* terms) {
    L changed[Reduction::size];
    for_each_index<Reduction::size>([&](std::size_t k) __attribute__((always_inline)) { changed[k] = state[k]; });
    Reduction::absorb(changed, terms);
    for_each_index<Reduction::size>(
        [&](std::size_t k) __attribute__((always_inline)) { state[k] = select(valid, changed[k], state[k]); });
}

/// Merges all lanes into one state.
template <class Reduction, class L>
[[gnu::always_inline]] inline void merge_lanes(const L* lanes, element<L>* state) {
    using T = element<L>;
    constexpr std::size_t count = lane_count<L>;
    if constexpr (requires { Reduction::merge_lanes(lanes, state); }) return Reduction::merge_lanes(lanes, state);
    T each[Reduction::size][count];
    for (std::size_t k = 0; k < Reduction::size; ++k) store(lanes[k], each[k]);
    for (std::size_t width = count / 2; width > 0; width /= 2)
        for (std::size_t lane = 0; lane < width; ++lane) {
            T low[Reduction::size], high[Reduction::size];
            for (std::size_t k = 0; k < Reduction::size; ++k) low[k] = each[k][lane], high[k] = each[k][lane + width];
            Reduction::merge(low, high);
            for (std::size_t k = 0; k < Reduction::size; ++k) each[k][lane] = low[k];
        }
    for (std::size_t k = 0; k < Reduction::size; ++k) state[k] = each[k][0];
}

/// The state of the rows from `first` to `end`. `Rows` computes terms in lanes: batch/rows/row_terms.hpp.
template <class Reduction, class T, class Rows>
[[gnu::always_inline]] inline void reduce_rows(const Rows& rows, std::size_t first, std::size_t end, T* state) {
    using L = widest<T>;
    constexpr std::size_t lanes = lane_count<L>, size = Reduction::size, together = Rows::together;
    const auto in_lanes = rows.template prepared<L>();
    const auto add = [&](L* sums, std::size_t row, std::size_t count) __attribute__((always_inline)) {
        L terms[Reduction::terms];
        in_lanes.compute(terms, row, count);
        if constexpr (Rows::masked)
            absorb_where<Reduction>(in_lanes.valid(row, count) & lanes_below<L>(count), sums, terms);
        else if (count == lanes)
            Reduction::absorb(sums, terms);
        else
            absorb_where<Reduction>(lanes_below<L>(count), sums, terms);
    };
    // Several states at once, so that a sum need not wait for the one before.
    L sums[together][size];
    for_each_index<together>([&](std::size_t u) __attribute__((always_inline)) { Reduction::begin(sums[u]); });
    std::size_t row = first;
    if constexpr (Rows::small)
        for (; row + together * lanes <= end; row += together * lanes)
            for_each_index<together>([&](std::size_t u)
                                         __attribute__((always_inline)) { add(sums[u], row + u * lanes, lanes); });
    for (; row < end; row += lanes) add(sums[0], row, end - row < lanes ? end - row : lanes);
    for_each_index<together - 1>([&](std::size_t u)
                                     __attribute__((always_inline)) { Reduction::merge(sums[0], sums[u + 1]); });
    merge_lanes<Reduction>(sums[0], state);
}
/// The same as a call.
template <class Reduction, class T, class Rows>
[[gnu::noinline]] void reduce_block(const Rows& rows, std::size_t first, std::size_t end, T* state) {
    reduce_rows<Reduction>(rows, first, end, state);
}

/// The tree over blocks: two neighbours are merged as soon as both are there, then two pairs, and so on. It keeps one
/// state per level.
template <class Reduction, class T>
class block_tree {
public:
    using reduction = Reduction;
    static constexpr std::size_t size = Reduction::size;
    using state = std::array<T, size>;

    /// Adds the state of 2^level blocks, behind all others.
    void push(state added, int level = 0) {
        for (; (blocks_ >> level & 1) != 0; ++level) {
            Reduction::merge(levels_[static_cast<std::size_t>(level)].data(), added.data());
            added = levels_[static_cast<std::size_t>(level)];
            blocks_ -= std::size_t{1} << level;
        }
        levels_[static_cast<std::size_t>(level)] = added;
        blocks_ += std::size_t{1} << level;
    }
    /// The result of all blocks.
    [[nodiscard]] state result() const {
        state all = merged();
        Reduction::finish(all.data());
        return all;
    }
    /// The state of all blocks.
    [[nodiscard]] state merged() const {
        state all;
        if (blocks_ == 0) {
            Reduction::begin(all.data());
            return all;
        }
        std::size_t rest = blocks_;
        all = levels_[static_cast<std::size_t>(std::countr_zero(rest))];
        while ((rest &= rest - 1) != 0) {
            state left = levels_[static_cast<std::size_t>(std::countr_zero(rest))];
            Reduction::merge(left.data(), all.data());
            all = left;
        }
        return all;
    }
    [[nodiscard]] std::size_t blocks() const { return blocks_; }

private:
    std::array<state, 32> levels_; // those of the bits of blocks_ are filled
    std::size_t blocks_ = 0;
};

/// Adds rows to a tree, block after block. `first` is at the beginning of a block.
template <class Rows, class Tree>
void reduce_blocks(const Rows& rows, std::size_t first, std::size_t end, Tree& tree) {
    for (; first < end; first += rows_per_block) {
        typename Tree::state state;
        reduce_block<typename Tree::reduction>(rows, first, end - first < rows_per_block ? end : first + rows_per_block,
                                               state.data());
        tree.push(state);
    }
}

} // namespace chainrule::batches
