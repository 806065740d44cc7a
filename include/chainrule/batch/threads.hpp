// SPDX-License-Identifier: BSL-1.0
//
// threads(n): several threads for a sum over data. Results are those of one thread, bit for bit.
#pragma once

#include <chainrule/batch/options.hpp>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace chainrule {

namespace batches {

/// Several threads. A task is the subtree over 2^level neighbouring blocks, so the tree is that of one thread.
struct several_threads {
    unsigned count;

    template <class Reduction, class T, class Rows>
    void reduce(const Rows& rows, std::size_t first, std::size_t end, block_tree<Reduction, T>& tree) const {
        const std::size_t blocks = (end - first) / rows_per_block;
        const std::size_t workers = count < blocks ? count : blocks;
        if (workers < 2) return one_thread{}.reduce(rows, first, end, tree);
        const int level = static_cast<int>(std::bit_width(blocks / (tasks_per_thread * workers + 1)));
        const std::size_t task_blocks = std::size_t{1} << level, task_rows = task_blocks * rows_per_block;

        // A subtree begins at a multiple of its size.
        const std::size_t rest = tree.blocks() & (task_blocks - 1);
        const std::size_t aligned = rest == 0 ? first : std::min(end, first + (task_blocks - rest) * rows_per_block);
        one_thread{}.reduce(rows, first, aligned, tree);
        const std::size_t tasks = (end - aligned) / task_rows;
        std::vector<typename block_tree<Reduction, T>::state> states(tasks);
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t task = next++; task < tasks; task = next++) {
                const std::size_t begin = aligned + task * task_rows;
                block_tree<Reduction, T> subtree;
                one_thread{}.reduce(rows, begin, begin + task_rows, subtree);
                states[task] = subtree.merged();
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < std::min(workers, tasks); ++i) others.emplace_back(work);
            work();
        }
        for (const auto& state : states) tree.push(state, level);
        one_thread{}.reduce(rows, aligned + tasks * task_rows, end, tree);
    }

private:
    static constexpr std::size_t tasks_per_thread = 8;
};
template <>
inline constexpr bool is_executor<several_threads> = true;

} // namespace batches

/// Computes with n threads, as many as the processor has where n is 0: sum(F, over(x = xs), wrt(w), threads(4)). The
/// result does not depend on n. Each evaluation starts its threads, so it pays from some 10^5 rows on.
[[nodiscard]] inline auto threads(unsigned n = 0) {
    return batches::several_threads{n != 0 ? n : std::max(1u, std::thread::hardware_concurrency())};
}

} // namespace chainrule
