// SPDX-License-Identifier: BSL-1.0
//
// Tasks for several threads: a sum over data into subtrees of its tree, a batch into ranges of points. So results are
// those of one thread, bit for bit. threads.hpp, execution.hpp and openmp.hpp run the tasks.
#pragma once

#include <chainrule/batch/execution/blocks.hpp>
#include <chainrule/core/raise.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <vector>

namespace chainrule::batches {

/// Refers to the work of tasks, of any type: so threads are compiled once, not for each work. The work must outlive it.
class work_of_tasks {
public:
    template <class Work>
    explicit work_of_tasks(const Work& work)
        : work_(&work), call_([](const void* it, std::size_t task) { (*static_cast<const Work*>(it))(task); }) {}
    void operator()(std::size_t task) const { call_(work_, task); }

private:
    const void* work_;
    void (*call_)(const void*, std::size_t);
};

/// An executor from a class with `workers()`, how many threads there are, and `run_tasks(tasks, work)`, which calls
/// work(0), ..., work(tasks - 1), on any thread and in any order, and returns when all are done. This work does not
/// throw.
template <class Threads>
struct executor_with_tasks {
    /// A task is the subtree over 2^level neighbouring blocks, so the tree is that of one thread.
    template <class Rows, class Tree>
    void reduce(const Rows& rows, std::size_t first, std::size_t end, Tree& tree) const {
        const std::size_t blocks = (end - first) / rows_per_block, workers = std::min(its_workers(), blocks);
        if (workers < 2) return reduce_blocks(rows, first, end, tree);
        const int level = static_cast<int>(std::bit_width(blocks / (tasks_per_worker * workers + 1)));
        const std::size_t task_blocks = std::size_t{1} << level, task_rows = task_blocks * rows_per_block;

        // A subtree begins at a multiple of its size.
        const std::size_t rest = tree.blocks() & (task_blocks - 1);
        const std::size_t aligned = rest == 0 ? first : std::min(end, first + (task_blocks - rest) * rows_per_block);
        reduce_blocks(rows, first, aligned, tree);
        const std::size_t tasks = (end - aligned) / task_rows;
        std::vector<typename Tree::state> states(tasks);
        for_each_task(tasks, [&](std::size_t task) {
            const std::size_t begin = aligned + task * task_rows;
            block_tree<typename Tree::reduction, typename Tree::state::value_type> subtree;
            reduce_blocks(rows, begin, begin + task_rows, subtree);
            states[task] = subtree.merged();
        });
        for (const auto& state : states) tree.push(state, level);
        reduce_blocks(rows, aligned + tasks * task_rows, end, tree);
    }

    /// Calls work(begin, end) for ranges that make up all points.
    template <class Work>
    void for_each_range(std::size_t points, const Work& work) const {
        const std::size_t most = tasks_per_worker * its_workers();
        const std::size_t blocks = (points + rows_per_block - 1) / rows_per_block;
        const std::size_t size = (blocks + most - 1) / most * rows_per_block;
        if (its_workers() < 2 || size >= points) return work(std::size_t{0}, points);
        for_each_task((points + size - 1) / size,
                      [&](std::size_t task) { work(task * size, std::min(points, (task + 1) * size)); });
    }

    /// Calls work(0), ..., work(tasks - 1), and throws what the first task threw that failed, as one thread would.
    template <class Work>
    void for_each_task(std::size_t tasks, const Work& work) const {
        run_and_rethrow(tasks, work_of_tasks(work));
    }

private:
    static constexpr std::size_t tasks_per_worker = 8;

    void run_and_rethrow(std::size_t tasks, work_of_tasks work) const {
        std::mutex mutex;
        std::exception_ptr failure;
        std::size_t first = tasks;
        const auto without_throwing = [&](std::size_t task) {
            CHAINRULE_TRY { work(task); }
            CHAINRULE_CATCH(...) {
                const std::lock_guard lock(mutex);
                if (task < first) {
                    first = task;
                    failure = std::current_exception();
                }
            }
        };
        threads().run_tasks(tasks, work_of_tasks(without_throwing));
        if (failure != nullptr) std::rethrow_exception(failure);
    }

    [[nodiscard]] const Threads& threads() const { return static_cast<const Threads&>(*this); }
    [[nodiscard]] std::size_t its_workers() const { return threads().workers(); }
};

} // namespace chainrule::batches
