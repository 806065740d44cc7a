// SPDX-License-Identifier: BSL-1.0
//
// Executors: one thread, or several, in threads.hpp, execution.hpp and openmp.hpp. Results do not depend on the
// executor.
#pragma once

#include <cstddef>
#include <type_traits>

namespace chainrule::batches {

/// One thread, with everything in order.
struct one_thread {
    template <class Rows, class Tree>
    void reduce(const Rows& rows, std::size_t first, std::size_t end, Tree& tree) const {
        reduce_blocks(rows, first, end, tree);
    }
    template <class Work>
    void for_each_range(std::size_t points, const Work& work) const {
        work(std::size_t{0}, points);
    }
    [[nodiscard]] static constexpr std::size_t workers() { return 1; }
    template <class Work>
    void for_each_task(std::size_t tasks, const Work& work) const {
        for (std::size_t task = 0; task < tasks; ++task) work(task);
    }
};

/// The executor that an argument asks for; void for arguments that ask for none.
template <class Argument>
struct executor_of {
    using type = void;
};
template <>
struct executor_of<one_thread> {
    using type = one_thread;
};
template <class Argument>
inline constexpr bool is_executor = !std::is_void_v<typename executor_of<Argument>::type>;

} // namespace chainrule::batches
