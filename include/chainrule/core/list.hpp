// SPDX-License-Identifier: BSL-1.0
//
// The only container of the compiler: a growing array that works in constant expressions. clang 19 rejects the
// std::vector of libstdc++ 12 there.
#pragma once

#include <chainrule/core/rooms.hpp>

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

/// The memory of a long list. Compilers copy it in one step, but the elements of a list one by one; so saved states
/// contain pages (codegen/saved.hpp).
template <class T>
struct page {
    enum : int { least = 1024, capacity = 1 << 17 }; // shorter lists, and longer ones, have memory of their own
    T items[static_cast<unsigned>(capacity)];
};

/// The address of this number, in a large constant: g++ writes the numbers of constants out for debuggers, megabytes of
/// them, but not of one that holds an address.
inline constexpr int anchor = 0;

/// The passes read `items` and `count` directly: in a constant evaluation a call costs as much as several statements,
/// and the passes mostly access elements.
template <class T>
class list {
public:
    T* items = nullptr;
    int count = 0;

    constexpr list() = default;
    /// A list of elements with the value T{}.
    constexpr explicit list(int size) {
        reserve(size);
        if (uninitialized && !in_page_)
            resize(size);
        else
            count = size;
    }
    constexpr list(int size, T value) { resize(size, value); }
    constexpr list(const list& other) {
        if (other.in_page_)
            read(*other.page_, other.count);
        else if (other.count > 0)
            move_to(other.count, other.items, other.count);
        count = other.count;
    }
    constexpr list(list&& other) noexcept
        : items(other.items), count(other.count), capacity_(other.capacity_), page_(other.page_),
          in_page_(other.in_page_) {
        other.items = nullptr;
        other.page_ = nullptr;
        other.in_page_ = false;
        other.count = other.capacity_ = 0;
    }
    constexpr list& operator=(list other) noexcept {
        swap(other);
        return *this;
    }
    constexpr ~list() { release(); }

    constexpr void swap(list& other) noexcept {
        T* const their_items = other.items;
        const int their_count = other.count, their_capacity = other.capacity_;
        page<T>* const their_page = other.page_;
        const bool theirs_in_page = other.in_page_;
        other.items = items;
        other.count = count;
        other.capacity_ = capacity_;
        other.page_ = page_;
        other.in_page_ = in_page_;
        items = their_items;
        count = their_count;
        capacity_ = their_capacity;
        page_ = their_page;
        in_page_ = theirs_in_page;
    }

    [[nodiscard]] constexpr int size() const { return count; }
    [[nodiscard]] constexpr bool empty() const { return count == 0; }
    [[nodiscard]] constexpr T& operator[](int i) { return items[i]; }
    [[nodiscard]] constexpr const T& operator[](int i) const { return items[i]; }
    [[nodiscard]] constexpr T& back() { return items[count - 1]; }
    [[nodiscard]] constexpr T* begin() { return items; }
    [[nodiscard]] constexpr T* end() { return items + count; }
    [[nodiscard]] constexpr const T* begin() const { return items; }
    [[nodiscard]] constexpr const T* end() const { return items + count; }

    constexpr void push_back(T value) { // one statement
        (count == capacity_ ? move_to(grown_capacity(count), items, count) : void()), items[count++] = value;
    }
    constexpr T pop_back() { return items[--count]; }
    /// Removes all but the first `size` elements.
    constexpr void truncate(int size) { count = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        T* to = items + count;
        int more = size - count;
        // Eight elements in each statement: clang counts the statements of an evaluation.
        for (; more >= 8; more -= 8, to += 8)
            to[0] = value, to[1] = value, to[2] = value, to[3] = value, to[4] = value, to[5] = value, to[6] = value,
            to[7] = value;
        while (more-- > 0) *to++ = value;
        count = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity > capacity_) move_to(capacity, items, count);
    }
    /// Whether a page contains the elements, and which.
    [[nodiscard]] constexpr bool in_page() const { return in_page_; }
    [[nodiscard]] constexpr const page<T>& memory() const { return *page_; }
    /// Makes the list the first `size` elements of a page.
    constexpr void read(const page<T>& from, int size) {
        keep(new page<T>(from));
        count = size;
    }

private:
    int capacity_ = 0;
    page<T>* page_ = nullptr;
    bool in_page_ = false; // not `page_ != nullptr`: with -fsanitize=undefined, g++ 12 compares no address

    constexpr void release() {
        if (in_page_)
            delete page_;
        else
            delete[] items;
    }
    constexpr void keep(page<T>* memory) {
        release();
        page_ = memory;
        in_page_ = true;
        items = memory->items;
        capacity_ = page<T>::capacity;
    }

    // clang initializes all elements at once, but g++ one by one, which takes twice as long as to write them: there
    // memory is not initialized if the type allows that, and long lists grow by less.
#if defined(__clang__)
    static constexpr bool uninitialized = false;
#else
    // Not the trait of <type_traits>: for each type it instantiates 17 classes.
    static constexpr bool uninitialized = __is_trivially_constructible(T);
#endif

    static constexpr bool has_pages = pages_are_cheap && __is_trivially_constructible(T) && __is_trivially_copyable(T);

    static constexpr void copy(const T* from, int count, T* to) {
#if defined(__clang__)
        // One step, however many elements: clang counts the steps of an evaluation.
        if (count > 0) __builtin_memcpy(to, from, static_cast<unsigned>(count) * sizeof(T));
#else
        for (int i = 0; i < count; ++i) to[i] = from[i];
#endif
    }
    // Replaces the memory by one of at least this capacity that begins with copies of elements.
    constexpr void move_to(int capacity, const T* from, int copied) {
        if constexpr (has_pages)
            if (page<T>::least < capacity && capacity <= page<T>::capacity) {
                page<T>* const memory = new page<T>{};
                copy(from, copied, memory->items);
                return keep(memory);
            }
        T* data;
        if constexpr (uninitialized)
            data = new T[static_cast<unsigned>(capacity)];
        else
            data = new T[static_cast<unsigned>(capacity)]{};
        copy(from, copied, data);
        release();
        page_ = nullptr;
        in_page_ = false;
        items = data;
        capacity_ = capacity;
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
