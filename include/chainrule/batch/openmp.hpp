// SPDX-License-Identifier: BSL-1.0
//
// openmp(n): the threads of OpenMP for a sum over data or a batch. Not part of batch.hpp: it needs the compiler's
// option for OpenMP. Results are those of one thread, bit for bit.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/execution/executors.hpp>
#include <chainrule/batch/execution/tasks.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace chainrule {

#if defined(_OPENMP)

namespace batches {

/// A team of OpenMP's threads, which takes one task after the other.
struct openmp_threads : executor_with_tasks<openmp_threads> {
    int count;

    explicit openmp_threads(int n) : count(n) {}
    [[nodiscard]] std::size_t workers() const { return static_cast<std::size_t>(count); }
    void run_tasks(std::size_t tasks, work_of_tasks work) const {
#pragma omp parallel for schedule(dynamic) num_threads(count)
        for (std::size_t task = 0; task < tasks; ++task) work(task);
    }
};
template <>
struct executor_of<openmp_threads> {
    using type = openmp_threads;
};

} // namespace batches

/// Computes with n threads of OpenMP, as many as omp_get_max_threads() where n is 0: sum(F, over(x = xs), wrt(w),
/// openmp()), batch(F, openmp()). Results do not depend on n.
[[nodiscard]] inline auto openmp(int n = 0) { return batches::openmp_threads{n > 0 ? n : omp_get_max_threads()}; }

#else

template <class Number = int>
auto openmp(Number = 0) {
    constexpr bool on = sizeof(Number) == 0;
    static_assert(on, "openmp: the compiler's OpenMP is off; add its option, as -fopenmp, or use threads(n) of "
                      "chainrule/batch/threads.hpp");
    return batches::one_thread{};
}

#endif

} // namespace chainrule

#include <chainrule/core/names_end.inc>
