// SPDX-License-Identifier: BSL-1.0
//
// The processes whose rows are the data of a sum: those of this process, or parts that several processes have, as in
// interop/mpi.hpp.
#pragma once

#include <chainrule/batch/execution/blocks.hpp>

#include <vector>

namespace chainrule::batches {

/// This process has all rows.
struct one_process {
    static constexpr bool several = false;

    /// The tree that the blocks of a pass over the data are added to, and the result of that pass.
    template <class Reduction, class T, class Data>
    [[nodiscard]] block_tree<Reduction, T> make_tree(const Data&) const {
        return {};
    }
    template <class Tree>
    [[nodiscard]] auto result(const Tree& tree) const {
        return tree.result();
    }
};

/// Whether an argument names processes. Where there are several, result() communicates: each of them calls it, as often
/// and in the same order.
template <class Argument>
inline constexpr bool is_processes = false;

/// The tree over blocks in one of several processes, from the block with a number on: subtrees that are in order but
/// not yet merged. Each begins at a multiple of its size, so that the subtrees of all processes are those of one.
template <class Reduction, class T>
class part_of_tree {
public:
    using reduction = Reduction;
    using state = typename block_tree<Reduction, T>::state;
    /// Of 2^level blocks.
    struct subtree {
        state merged;
        int level;
    };

    explicit part_of_tree(std::size_t first_block) : end_(first_block) {}

    /// Adds the state of 2^level blocks, behind all others.
    void push(state added, int level = 0) {
        end_ += std::size_t{1} << level;
        for (; !subtrees_.empty() && subtrees_.back().level == level && is_full(level + 1); ++level) {
            state left = subtrees_.back().merged;
            subtrees_.pop_back();
            Reduction::merge(left.data(), added.data());
            added = left;
        }
        subtrees_.push_back({added, level});
    }
    /// The number of blocks before the next one, those of other processes too.
    [[nodiscard]] std::size_t blocks() const { return end_; }
    [[nodiscard]] const std::vector<subtree>& subtrees() const { return subtrees_; }

    /// The state of all blocks here.
    [[nodiscard]] state merged() const {
        state all;
        if (subtrees_.empty()) {
            Reduction::begin(all.data());
            return all;
        }
        all = subtrees_.back().merged;
        for (std::size_t k = subtrees_.size() - 1; k-- > 0;) {
            state left = subtrees_[k].merged;
            Reduction::merge(left.data(), all.data());
            all = left;
        }
        return all;
    }

private:
    std::vector<subtree> subtrees_;
    std::size_t end_;

    [[nodiscard]] bool is_full(int level) const { return (end_ & ((std::size_t{1} << level) - 1)) == 0; }
};

} // namespace chainrule::batches
