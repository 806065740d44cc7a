// SPDX-License-Identifier: BSL-1.0
//
// The only container of the compiler: a growing array that works in constant expressions. clang 19 rejects the
// std::vector of libstdc++ 12 there.
#pragma once

#include <chainrule/core/rooms.hpp>

#include <array> // std::construct_at with libstdc++, where it is used, in a fifth of the tokens of <memory>
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

/// An array of fixed size that contains the elements of a list. Compilers copy it in one step, but elements behind a
/// pointer one by one; so saved states contain pages (codegen/saved.hpp).
template <class T>
struct page {
    enum : int {
        least = 1024, // shorter lists are saved element by element
#if defined(__clang__)
        capacity = 1 << 17 // clang takes memory in proportion to the size of a page of structures
#else
        capacity = sizeof(T) <= 8    ? 1 << 19
                   : sizeof(T) <= 16 ? 1 << 18
                                     : 1 << 17 // more than g++ fills by default
#endif
    };
    using array = T[static_cast<unsigned>(capacity)];
    array items;
};

/// The address of this number, in a large constant: g++ writes the numbers of constants out for debuggers, megabytes of
/// them, but not of one that holds an address.
inline constexpr int anchor = 0;

/// Whether a list has a page from the start and refers to its elements as an array. g++ accesses an element of an array
/// in half the time and memory that an element behind a pointer takes; for clang there is no difference.
#if defined(__clang__) || defined(__CUDACC__)
template <class T>
inline constexpr bool starts_with_page = false;
#else
template <class T>
inline constexpr bool starts_with_page = __is_trivially_constructible(T) && __is_trivially_copyable(T);
#endif

/// What a list accesses its elements through.
template <class T, bool StartsWithPage = starts_with_page<T>>
struct list_items {
    using type = T*;
};
template <class T>
struct list_items<T, true> {
    using type = typename page<T>::array&;
};

// The page with which a list starts. At run time it ends after the stated capacity, and its elements have no values
// yet.

template <class T>
[[nodiscard]] constexpr int capacity_of_page(int least) {
    if (__builtin_is_constant_evaluated()) return page<T>::capacity;
    return least < 64 ? 64 : least;
}
// Out of line: compilers would warn of an array that is larger than its memory.
template <class T>
[[nodiscard, gnu::noinline]] page<T>* run_time_page(int capacity) {
    return static_cast<page<T>*>(::operator new(static_cast<std::size_t>(capacity) * sizeof(T)));
}
template <class T>
[[nodiscard]] constexpr page<T>* new_page(int least) {
    return __builtin_is_constant_evaluated() ? new page<T>{} : run_time_page<T>(capacity_of_page<T>(least));
}
template <class T>
constexpr void delete_page(page<T>* memory) {
    if (__builtin_is_constant_evaluated())
        delete memory;
    else
        ::operator delete(memory);
}

/// The passes read `items` and `count` directly: in a constant evaluation a call costs as much as several statements,
/// and the passes mostly access elements.
template <class T>
class list {
    static constexpr bool paged = starts_with_page<T>;

public:
    typename list_items<T>::type items;
    int count = 0;

    constexpr list()
    requires(!paged)
        : items(nullptr) {}
    constexpr list()
    requires paged
        : list(new_page<T>(0), capacity_of_page<T>(0)) {}
    /// A list of elements with the value T{}.
    constexpr explicit list(int size) : list() {
        reserve(size);
        if constexpr (paged)
            if (!__builtin_is_constant_evaluated() && size > 0)
                __builtin_memset(items, 0, static_cast<std::size_t>(size) * sizeof(T));
        count = size;
    }
    constexpr list(int size, T value) : list() { resize(size, value); }
    constexpr list(const list& other) : list() {
        if (other.in_page_)
            read(*other.page_, other.count);
        else if (other.count > 0)
            move_to(other.count, other.items, other.count);
        count = other.count;
    }
    constexpr list(list&& other) noexcept
        : items(other.items), count(other.count), capacity_(other.capacity_), page_(other.page_),
          in_page_(other.in_page_) {
        if constexpr (!paged) other.items = nullptr;
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
        if constexpr (paged) { // a reference is replaced with its list
            list theirs(static_cast<list&&>(other));
            std::construct_at(&other, static_cast<list&&>(*this));
            std::construct_at(this, static_cast<list&&>(theirs));
        } else {
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
        (count == capacity_ ? grow(grown_capacity(count)) : void()), items[count++] = value;
    }
    /// Ensures that so many elements can be added without a call: items[count++] = x.
    constexpr void make_room(int more) {
        if (count + more > capacity_) grow(grown_capacity(count + more));
    }
    constexpr T pop_back() { return items[--count]; }
    /// Removes all but the first `size` elements.
    constexpr void truncate(int size) { count = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        int i = count;
        // Eight elements in each statement: clang counts the statements of an evaluation.
        for (; i + 8 <= size; i += 8)
            items[i] = value, items[i + 1] = value, items[i + 2] = value, items[i + 3] = value, items[i + 4] = value,
            items[i + 5] = value, items[i + 6] = value, items[i + 7] = value;
        for (; i < size; ++i) items[i] = value;
        count = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    /// Whether a page contains all elements.
    [[nodiscard]] constexpr bool in_page() const { return in_page_ && count <= page<T>::capacity; }
    /// Copies the elements, which are in a page, to another page, in constant evaluations the whole page.
    constexpr void write(page<T>& to) const {
        if constexpr (paged)
            if (!__builtin_is_constant_evaluated()) return copy(items, count, to.items);
        to = *page_;
    }
    /// Makes the list the first `size` elements of a page.
    constexpr void read(const page<T>& from, int size) {
        if constexpr (paged) {
            reserve(size);
            if (__builtin_is_constant_evaluated())
                *page_ = from;
            else
                copy(from.items, size, items);
        } else {
            keep(new page<T>(from));
        }
        count = size;
    }

private:
    int capacity_ = 0;
    page<T>* page_ = nullptr;
    bool in_page_ = false; // not `page_ != nullptr`: with -fsanitize=undefined, g++ 12 compares no address

    constexpr list(page<T>* memory, int capacity)
        : items(memory->items), capacity_(capacity), page_(memory), in_page_(true) {}

    static constexpr bool has_pages = pages_are_cheap && __is_trivially_constructible(T) && __is_trivially_copyable(T);

    static constexpr void copy(const T* from, int count, T* to) {
#if defined(__clang__)
        // One step, however many elements: clang counts the steps of an evaluation.
        if (count > 0) __builtin_memcpy(to, from, static_cast<unsigned>(count) * sizeof(T));
#else
        if constexpr (paged)
            if (!__builtin_is_constant_evaluated()) {
                __builtin_memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
                return;
            }
        for (int i = 0; i < count; ++i) to[i] = from[i];
#endif
    }
    constexpr void release() {
        if constexpr (paged)
            delete_page(page_);
        else if (in_page_)
            delete page_;
        else
            delete[] items;
    }
    constexpr void grow(int capacity) {
        if constexpr (paged) {
            list larger(new_page<T>(capacity), capacity_of_page<T>(capacity));
            copy(items, count, larger.items);
            larger.count = count;
            swap(larger);
        } else {
            move_to(capacity, items, count);
        }
    }

    // Of lists that start without a page

    constexpr void keep(page<T>* memory) {
        release();
        page_ = memory;
        in_page_ = true;
        items = memory->items;
        capacity_ = page<T>::capacity;
    }
    // Replaces the memory by one of at least this capacity that begins with copies of elements.
    constexpr void move_to(int capacity, const T* from, int copied) {
        if constexpr (!paged) {
            if constexpr (has_pages)
                if (page<T>::least < capacity && capacity <= page<T>::capacity) {
                    page<T>* const memory = new page<T>{};
                    copy(from, copied, memory->items);
                    return keep(memory);
                }
            T* const data = new T[static_cast<unsigned>(capacity)]{};
            copy(from, copied, data);
            release();
            page_ = nullptr;
            in_page_ = false;
            items = data;
            capacity_ = capacity;
        }
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
