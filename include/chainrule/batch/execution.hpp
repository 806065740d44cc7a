// SPDX-License-Identifier: BSL-1.0
//
// The execution policies of the standard library, as arguments in place of threads(n). Not part of batch.hpp: the
// library behind <execution> may have to be linked, for libstdc++ TBB where its headers are installed. Results are
// those of one thread, bit for bit.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/execution/executors.hpp>
#include <chainrule/batch/execution/tasks.hpp>

#include <execution>
#include <numeric>
#include <thread>

#if !defined(__cpp_lib_execution)
#error "chainrule: this standard library has no execution policies; pass threads(n) of chainrule/batch/threads.hpp"
#endif

namespace chainrule::batches {

/// Tasks as elements of std::for_each. The lanes are those of the kernel, so par_unseq has no more of them than par.
struct with_parallel_policy : executor_with_tasks<with_parallel_policy> {
    template <class Policy>
    explicit with_parallel_policy(const Policy&) {}
    [[nodiscard]] std::size_t workers() const { return std::max(1u, std::thread::hardware_concurrency()); }
    void run_tasks(std::size_t tasks, work_of_tasks work) const {
        std::vector<std::size_t> numbers(tasks);
        std::iota(numbers.begin(), numbers.end(), std::size_t{0});
        std::for_each(std::execution::par, numbers.begin(), numbers.end(), work);
    }
};
/// The policies without threads.
struct with_sequenced_policy : one_thread {
    template <class Policy>
    explicit with_sequenced_policy(const Policy&) {}
};

template <class Policy>
requires std::is_execution_policy_v<Policy>
struct executor_of<Policy> {
    static constexpr bool parallel = std::is_same_v<Policy, std::execution::parallel_policy> ||
                                     std::is_same_v<Policy, std::execution::parallel_unsequenced_policy>;
    using type = std::conditional_t<parallel, with_parallel_policy, with_sequenced_policy>;
};

} // namespace chainrule::batches

#include <chainrule/core/names_end.inc>
