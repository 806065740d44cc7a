// SPDX-License-Identifier: BSL-1.0
//
// The only container of the compiler: a growing array that works in constant expressions. clang 19 rejects the
// std::vector of libstdc++ 12 there.
#pragma once

#include <chainrule/core/rooms.hpp>

#include <cstddef>
#include <new>

namespace chainrule::core {

/// The capacity of a full list of this many elements after it has grown.
[[nodiscard]] constexpr int grown_capacity(int count) {
    return count < 16 ? 64 : count < 1024 ? 4 * count : count + count / 2;
}

/// Whether a constant evaluation pays only for the elements of a page that were written. nvcc pays for all.
#if defined(__CUDACC__)
inline constexpr bool pages_are_cheap = false;
#else
inline constexpr bool pages_are_cheap = true;
#endif

/// The memory of a list: in a constant evaluation an array of fixed size, of which only the elements that were written
/// cost memory. g++ reads and writes an element of an array that is a member in a fifth of the time and a third of the
/// memory that an element behind a pointer takes; and compilers copy a page in one step, but elements one by one, so
/// saved states contain pages (codegen/saved.hpp).
template <class T, bool Array = pages_are_cheap && __is_trivially_constructible(T) && __is_trivially_copyable(T)>
struct page {
    // Shorter lists are saved element by element. The capacity is more than compilers can fill with their default
    // options; clang 19 takes memory in proportion to the size of a page of structures.
    enum : int { least = 1024, capacity = sizeof(T) <= 8 ? 1 << 19 : sizeof(T) <= 16 ? 1 << 18 : 1 << 17 };
    T items[static_cast<unsigned>(capacity)];
};
template <class T>
struct page<T, false> {
    enum : int { least = 1024, capacity = 0 };
    T* items;
};

/// The address of this number, in a large constant: g++ writes the numbers of constants out for debuggers, megabytes of
/// them, but not of one that holds an address.
inline constexpr int anchor = 0;

/// The passes read `page->items` and `count` directly: in a constant evaluation a call costs as much as several
/// statements, and the passes mostly access elements. An empty list may have no page.
template <class T>
class list {
public:
    core::page<T>* page = nullptr;
    int count = 0;

    constexpr list() = default;
    /// A list of elements with the value T{}.
    constexpr explicit list(int size) {
        if (array && __builtin_is_constant_evaluated()) {
            reserve(size);
            count = size;
        } else {
            resize(size);
        }
    }
    constexpr list(int size, T value) { resize(size, value); }
    constexpr list(const list& other) {
        if (other.count > 0) read(*other.page, other.count);
    }
    constexpr list(list&& other) noexcept : page(other.page), count(other.count), capacity_(other.capacity_) {
        other.page = nullptr;
        other.count = other.capacity_ = 0;
    }
    constexpr list& operator=(list other) noexcept {
        swap(other);
        return *this;
    }
    constexpr ~list() { release(); }

    constexpr void swap(list& other) noexcept {
        core::page<T>* const their_page = other.page;
        const int their_count = other.count, their_capacity = other.capacity_;
        other.page = page;
        other.count = count;
        other.capacity_ = capacity_;
        page = their_page;
        count = their_count;
        capacity_ = their_capacity;
    }

    [[nodiscard]] constexpr int size() const { return count; }
    [[nodiscard]] constexpr bool empty() const { return count == 0; }
    [[nodiscard]] constexpr T& operator[](int i) { return page->items[i]; }
    [[nodiscard]] constexpr const T& operator[](int i) const { return page->items[i]; }
    [[nodiscard]] constexpr T& back() { return page->items[count - 1]; }
    [[nodiscard]] constexpr T* begin() { return count > 0 ? page->items : nullptr; }
    [[nodiscard]] constexpr T* end() { return count > 0 ? page->items + count : nullptr; }
    [[nodiscard]] constexpr const T* begin() const { return count > 0 ? page->items : nullptr; }
    [[nodiscard]] constexpr const T* end() const { return count > 0 ? page->items + count : nullptr; }

    constexpr void push_back(T value) { // one statement
        (count == capacity_ ? grow(grown_capacity(count)) : void()), page->items[count++] = value;
    }
    constexpr T pop_back() { return page->items[--count]; }
    /// Removes all but the first `size` elements.
    constexpr void truncate(int size) { count = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size <= count) return truncate(size);
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        int i = count;
        // Eight elements in each statement: clang counts the statements of an evaluation.
        for (; i + 8 <= size; i += 8)
            page->items[i] = value, page->items[i + 1] = value, page->items[i + 2] = value, page->items[i + 3] = value,
            page->items[i + 4] = value, page->items[i + 5] = value, page->items[i + 6] = value,
            page->items[i + 7] = value;
        for (; i < size; ++i) page->items[i] = value;
        count = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    /// Copies the elements to a page, and what else is in the list's page.
    constexpr void write(core::page<T>& to) const {
        if (array && __builtin_is_constant_evaluated())
            to = *page;
        else
            copy(page->items, count, to.items);
    }
    /// Makes the list the first `size` elements of a page.
    constexpr void read(const core::page<T>& from, int size) {
        release();
        if constexpr (array)
            if (__builtin_is_constant_evaluated()) {
                page = new core::page<T>(from);
                capacity_ = core::page<T>::capacity;
                count = size;
                return;
            }
        page = allocate(size);
        copy(from.items, size, page->items);
        capacity_ = count = size;
    }

private:
    int capacity_ = 0;

    static constexpr bool array = core::page<T>::capacity != 0;

    static constexpr void copy(const T* from, int count, T* to) {
        if constexpr (array)
            if (!__builtin_is_constant_evaluated()) {
                __builtin_memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
                return;
            }
        for (int i = 0; i < count; ++i) to[i] = from[i];
    }
    // Not at compile time. The page's array ends after `capacity` elements; out of line, since compilers would warn of
    // a page that is larger than its memory.
    [[gnu::noinline]] static core::page<T>* run_time_page(int capacity) {
        return static_cast<core::page<T>*>(::operator new(static_cast<std::size_t>(capacity) * sizeof(T)));
    }
    static constexpr core::page<T>* allocate(int capacity) {
        if constexpr (array) {
            if (__builtin_is_constant_evaluated()) return new core::page<T>{};
            return run_time_page(capacity);
        } else {
            return new core::page<T>{new T[static_cast<unsigned>(capacity)]{}};
        }
    }
    constexpr void release() {
        if constexpr (array) {
            if (__builtin_is_constant_evaluated())
                delete page;
            else
                ::operator delete(page);
        } else if (capacity_ > 0) {
            delete[] page->items;
            delete page;
        }
    }
    // Replaces the memory by one of at least this capacity.
    constexpr void grow(int capacity) {
        core::page<T>* const memory = allocate(capacity);
        if (count > 0) copy(page->items, count, memory->items);
        release();
        page = memory;
        capacity_ = array && __builtin_is_constant_evaluated() ? int{core::page<T>::capacity} : capacity;
    }
};

/// A table of integers that are first 0, for open addressing. Its size is a multiple of 1024. It consists of blocks,
/// since a compiler initializes or copies a block in one step, but a list of integers one by one.
class index_table {
public:
    static constexpr int block_bits = 10, block_mask = (1 << block_bits) - 1;
    struct block {
        int items[1 << block_bits];
    };
    /// Entry i is blocks[i >> block_bits].items[i & block_mask]: calls are expensive, as for a list.
    block* blocks = nullptr;
    int count = 0;

    constexpr index_table() = default;
    constexpr explicit index_table(int size)
        : blocks(new block[static_cast<unsigned>(size >> block_bits)]{}), count(size) {}
    constexpr index_table(const index_table& other) : index_table(other.count) {
        for (int i = 0; i < block_count(); ++i) blocks[i] = other.blocks[i];
    }
    constexpr index_table(index_table&& other) noexcept : blocks(other.blocks), count(other.count) {
        other.blocks = nullptr;
        other.count = 0;
    }
    constexpr index_table& operator=(index_table other) noexcept {
        block* const theirs = other.blocks;
        const int their_count = other.count;
        other.blocks = blocks;
        other.count = count;
        blocks = theirs;
        count = their_count;
        return *this;
    }
    constexpr ~index_table() { delete[] blocks; }

    [[nodiscard]] constexpr int block_count() const { return count >> block_bits; }
};

} // namespace chainrule::core
