// SPDX-License-Identifier: BSL-1.0
//
// The only container of the compiler: a growing array that works in constant expressions. clang 19 rejects the
// std::vector of libstdc++ 12 there.
#pragma once

#include <chainrule/core/rooms.hpp>

#include <type_traits>

namespace chainrule::core {

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
        if constexpr (uninitialized) {
            resize(size);
        } else {
            reserve(size);
            count = size;
        }
    }
    constexpr list(int size, T value) { resize(size, value); }
    constexpr list(const list& other) {
        reserve(other.count);
        copy(other.items, other.count, items);
        count = other.count;
    }
    constexpr list(list&& other) noexcept : items(other.items), count(other.count), capacity_(other.capacity_) {
        other.items = nullptr;
        other.count = other.capacity_ = 0;
    }
    constexpr list& operator=(list other) noexcept {
        swap(other);
        return *this;
    }
    constexpr ~list() { delete[] items; }

    constexpr void swap(list& other) noexcept {
        T* const their_items = other.items;
        const int their_count = other.count, their_capacity = other.capacity_;
        other.items = items;
        other.count = count;
        other.capacity_ = capacity_;
        items = their_items;
        count = their_count;
        capacity_ = their_capacity;
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
        (count == capacity_ ? reserve(grown()) : void()), items[count++] = value;
    }
    constexpr T pop_back() { return items[--count]; }
    /// Removes all but the first `size` elements.
    constexpr void truncate(int size) { count = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        fill(items + count, size - count, value);
        count = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity <= capacity_) return;
        T* const data = allocated(capacity);
        copy(items, count, data);
        delete[] items;
        items = data;
        capacity_ = capacity;
    }

private:
    int capacity_ = 0;

    // clang initializes all elements at once, but g++ one by one, which takes twice as long as to write them: there
    // memory is not initialized if the type allows that, and long lists grow by less.
#if defined(__clang__)
    static constexpr bool uninitialized = false;
#else
    static constexpr bool uninitialized = std::is_trivially_default_constructible_v<T>;
#endif
    [[nodiscard]] static constexpr T* allocated(int capacity) {
        if constexpr (uninitialized)
            return new T[static_cast<unsigned>(capacity)];
        else
            return new T[static_cast<unsigned>(capacity)]{};
    }
    [[nodiscard]] constexpr int grown() const {
        return capacity_ < 16 ? 64 : capacity_ < 1024 ? 4 * capacity_ : capacity_ + capacity_ / 2;
    }
    // Eight elements in each statement: clang counts the statements of an evaluation.
    static constexpr void copy(const T* from, int count, T* to) {
        int i = 0;
        for (; i + 8 <= count; i += 8)
            to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3],
            to[i + 4] = from[i + 4], to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
        for (; i < count; ++i) to[i] = from[i];
    }
    static constexpr void fill(T* to, int count, const T& value) {
        int i = 0;
        for (; i + 8 <= count; i += 8)
            to[i] = value, to[i + 1] = value, to[i + 2] = value, to[i + 3] = value, to[i + 4] = value,
            to[i + 5] = value, to[i + 6] = value, to[i + 7] = value;
        for (; i < count; ++i) to[i] = value;
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
