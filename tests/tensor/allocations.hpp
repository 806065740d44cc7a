// SPDX-License-Identifier: BSL-1.0
//
// Counts allocations and makes them fail, for tests of code that must not allocate or must survive std::bad_alloc.
// allocations.cpp replaces operator new and operator delete of the whole program.
#pragma once

#include <atomic>
#include <cstddef>

namespace counted {

/// Calls of operator new in this thread so far.
inline thread_local constinit std::size_t allocations = 0;
/// The number of the allocation of this thread that throws std::bad_alloc; 0 for none.
inline thread_local constinit std::size_t fails_at = 0;
/// Blocks with an alignment of their own that have not been freed: those of tensors, and few others.
inline constinit std::atomic<std::ptrdiff_t> aligned_blocks = 0;

} // namespace counted
