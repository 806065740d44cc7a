// SPDX-License-Identifier: BSL-1.0
//
// The memory of tensors: blocks from a reserve per thread, so that a repeated training step allocates nothing. A buffer
// is a reference-counted block of numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace chainrule::tensor {

/// The memory of the tensors of this thread: see memory_used().
struct memory_statistics {
    std::size_t bytes_in_use = 0;     ///< of blocks taken and not given back
    std::size_t bytes_in_reserve = 0; ///< of blocks given back and kept
    std::size_t allocations = 0;      ///< calls of the system's allocator so far
};

namespace storage {

inline constexpr std::size_t alignment = 64; // a cache line, and the widest vector register

/// Sizes of blocks: four for each power of two, so that at most a fifth of a block is unused.
struct size_class {
    static constexpr std::size_t smallest = alignment;
    static constexpr unsigned count = 4 * (64 - 6);

    static constexpr unsigned of(std::size_t bytes) noexcept {
        if (bytes <= smallest) return 0;
        const unsigned power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1; // 2^power <= bytes - 1
        return 4 * (power - 6) + static_cast<unsigned>((bytes - 1) >> (power - 2)) - 3;
    }
    static constexpr std::size_t bytes(unsigned number) noexcept {
        const std::size_t quarters = 4 + number % 4;
        const std::size_t exact = (smallest * quarters / 4) << (number / 4);
        return (exact + alignment - 1) / alignment * alignment;
    }
};

struct free_block {
    free_block* next;
};

/// The free blocks of one thread, by size. Constant-initialised and trivially destructible, so that it needs no guard
/// and outlives every tensor.
struct reserve {
    free_block* first[size_class::count] = {};
    std::ptrdiff_t bytes_held = 0; // in use or in reserve; below 0 where blocks of other threads were given back
    std::size_t allocations = 0;
    enum : unsigned char {
        unwatched,
        watched,
        closed
    } state = unwatched; // closed: the thread is ending, nothing is kept

    // Counted when somebody asks, since blocks are taken and given back far more often.
    [[nodiscard]] std::size_t bytes_in_reserve() const noexcept {
        std::size_t bytes = 0;
        for (unsigned number = 0; number < size_class::count; ++number)
            for (const free_block* block = first[number]; block != nullptr; block = block->next)
                bytes += size_class::bytes(number);
        return bytes;
    }
    void release() noexcept {
        bytes_held -= static_cast<std::ptrdiff_t>(bytes_in_reserve());
        for (free_block*& list : first)
            while (list != nullptr) ::operator delete(std::exchange(list, list->next), std::align_val_t{alignment});
    }
};
inline thread_local constinit reserve of_thread{};

/// Returns the reserve to the system when its thread ends.
struct at_thread_exit {
    at_thread_exit() { of_thread.state = reserve::watched; }
    at_thread_exit(const at_thread_exit&) = delete;
    at_thread_exit& operator=(const at_thread_exit&) = delete;
    ~at_thread_exit() {
        of_thread.release();
        of_thread.state = reserve::closed;
    }
};
inline void watch_thread() {
    static thread_local at_thread_exit watch;
    static_cast<void>(watch);
}

[[gnu::noinline]] inline void* allocate_anew(std::size_t bytes) {
    watch_thread();
    void* block = ::operator new(bytes, std::align_val_t{alignment});
    ++of_thread.allocations;
    of_thread.bytes_held += static_cast<std::ptrdiff_t>(bytes);
    return block;
}
/// Returns a block in a thread that has not taken any yet, or is ending. Returns whether the block was freed.
[[gnu::noinline]] inline bool freed_instead_of_kept(void* block, std::size_t bytes) noexcept {
    if (of_thread.state == reserve::unwatched) watch_thread();
    if (of_thread.state == reserve::watched) return false;
    of_thread.bytes_held -= static_cast<std::ptrdiff_t>(bytes);
    ::operator delete(block, std::align_val_t{alignment});
    return true;
}

/// A block of a size class, aligned to 64 bytes.
[[nodiscard, gnu::always_inline]] inline void* take_class(unsigned number) {
    reserve& mine = of_thread;
    free_block* const block = mine.first[number];
    if (block == nullptr) [[unlikely]]
        return allocate_anew(size_class::bytes(number));
    mine.first[number] = block->next;
    return block;
}

/// A block of at least that many bytes.
[[nodiscard, gnu::always_inline]] inline void* take(std::size_t bytes) { return take_class(size_class::of(bytes)); }

/// Returns a block to the reserve.
[[gnu::always_inline]] inline void give_back_class(void* block, unsigned number) noexcept {
    reserve& mine = of_thread;
    if (mine.state != reserve::watched && freed_instead_of_kept(block, size_class::bytes(number))) [[unlikely]]
        return;
    mine.first[number] = ::new (block) free_block{mine.first[number]};
}
[[gnu::always_inline]] inline void give_back(void* block, std::size_t bytes) noexcept {
    give_back_class(block, size_class::of(bytes));
}

} // namespace storage

/// The memory that tensors of this thread use and have in reserve. A block that comes from another thread counts in the
/// thread that frees it.
[[nodiscard]] inline memory_statistics memory_used() noexcept {
    const storage::reserve& mine = storage::of_thread;
    const std::size_t in_reserve = mine.bytes_in_reserve();
    const std::ptrdiff_t in_use = mine.bytes_held - static_cast<std::ptrdiff_t>(in_reserve);
    return {in_use > 0 ? static_cast<std::size_t>(in_use) : 0, in_reserve, mine.allocations};
}

/// Returns the reserve of this thread to the system.
inline void release_memory() noexcept { storage::of_thread.release(); }

namespace storage {

/// A block of numbers, shared by all views of it. The reference count is not atomic: tensors that share numbers must be
/// used by one thread at a time.
struct alignas(alignment) buffer {
    std::uint32_t references = 0;
    std::uint32_t version = 0; // counts changes in place
    unsigned size = 0;         // the class of the block
    bool is_exposed = false;   // somebody got a span through which they may be changed at any time, uncounted

    template <class T>
    [[nodiscard]] T* numbers() noexcept {
        return reinterpret_cast<T*>(this + 1);
    }
    [[nodiscard, gnu::always_inline]] static buffer* make(std::size_t bytes) {
        const unsigned size = size_class::of(sizeof(buffer) + bytes);
        return ::new (take_class(size)) buffer{.size = size};
    }
};

/// A counted reference to a buffer.
class buffer_reference {
public:
    buffer_reference() = default;
    explicit buffer_reference(buffer* shared) noexcept : shared_(shared) {
        if (shared_ != nullptr) ++shared_->references;
    }
    buffer_reference(const buffer_reference& other) noexcept : buffer_reference(other.shared_) {}
    buffer_reference(buffer_reference&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    [[gnu::always_inline]] buffer_reference& operator=(buffer_reference other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    [[gnu::always_inline]] ~buffer_reference() {
        if (shared_ != nullptr && --shared_->references == 0) give_back_class(shared_, shared_->size);
    }
    /// A new buffer in the place of the old one.
    [[gnu::always_inline]] void reset(buffer* fresh) noexcept { *this = buffer_reference(fresh); }
    [[nodiscard]] buffer* get() const noexcept { return shared_; }
    [[nodiscard]] buffer* operator->() const noexcept { return shared_; }
    [[nodiscard]] bool unique() const noexcept { return shared_ != nullptr && shared_->references == 1; }
    explicit operator bool() const noexcept { return shared_ != nullptr; }

private:
    buffer* shared_ = nullptr;
};

} // namespace storage
} // namespace chainrule::tensor
