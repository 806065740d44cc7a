// SPDX-License-Identifier: BSL-1.0
//
// threads(n): several threads for a sum over data or a batch. Results are those of one thread, bit for bit.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/execution/executors.hpp>
#include <chainrule/batch/execution/tasks.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace chainrule {

namespace batches {

/// Threads that are waited for. (libc++ has std::jthread from version 20 on.)
struct joined_threads {
    std::vector<std::thread> all;
    ~joined_threads() {
        for (std::thread& each : all) each.join();
    }
};

/// Threads that are started for a call and take one task after the other.
struct several_threads : executor_with_tasks<several_threads> {
    unsigned count;

    constexpr explicit several_threads(unsigned n) : count(n) {}
    [[nodiscard]] std::size_t workers() const { return count; }
    void run_tasks(std::size_t tasks, work_of_tasks work) const {
        std::atomic<std::size_t> next{0};
        const auto take = [&] {
            for (std::size_t task = next++; task < tasks; task = next++) work(task);
        };
        joined_threads others;
        CHAINRULE_TRY {
            for (std::size_t i = 1; i < std::min<std::size_t>(count, tasks); ++i) others.all.emplace_back(take);
        }
        CHAINRULE_CATCH(...) {} // the system starts no more: those that run take all tasks
        take();
    }
};
template <>
struct executor_of<several_threads> {
    using type = several_threads;
};

} // namespace batches

/// Computes with n threads, as many as the processor has where n is 0: sum(F, over(x = xs), wrt(w), threads(4)),
/// batch(F, threads(4)). Results do not depend on n. Each evaluation starts its threads, so it pays from some 10^5 rows
/// on.
[[nodiscard]] inline auto threads(unsigned n = 0) {
    return batches::several_threads{n != 0 ? n : std::max(1u, std::thread::hardware_concurrency())};
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
