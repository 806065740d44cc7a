// SPDX-License-Identifier: BSL-1.0
//
// operator new and operator delete of this program, which count: see allocations.hpp.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

// Out of line, or g++ takes what it sees for a mismatch of new and free.
[[gnu::noinline]] void* allocate(std::size_t bytes, std::size_t alignment) {
    if (++counted::allocations == counted::fails_at) throw std::bad_alloc();
    if (alignment != 0) ++counted::aligned_blocks;
    void* const block = alignment == 0 ? std::malloc(bytes == 0 ? 1 : bytes)
                                       : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
[[gnu::noinline]] void give_back(void* block) noexcept { std::free(block); }

} // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
// A sanitizer brings its own, which would not fit the operators delete here.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++counted::allocations;
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t) noexcept {
    if (block != nullptr) --counted::aligned_blocks;
    give_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t alignment) noexcept {
    operator delete(block, alignment);
}
