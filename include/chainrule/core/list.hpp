// SPDX-License-Identifier: BSL-1.0
//
// The only container of the compiler: a growing array that works in constant expressions. clang 19 rejects the
// std::vector of libstdc++ 12 there.
#pragma once

#include <chainrule/core/rooms.hpp>

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
        reserve(size);
        count = size;
    }
    constexpr list(int size, T value) { resize(size, value); }
    constexpr list(const list& other) {
        reserve(other.count);
        for (int i = 0; i < other.count; ++i) items[i] = other.items[i];
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

    constexpr void push_back(T value) {
        if (count == capacity_) reserve(capacity_ < 16 ? 64 : 4 * capacity_);
        items[count++] = value;
    }
    constexpr T pop_back() { return items[--count]; }
    /// Removes all but the first `size` elements.
    constexpr void truncate(int size) { count = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        for (int i = count; i < size; ++i) items[i] = value;
        count = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity <= capacity_) return;
        T* const data = new T[static_cast<unsigned>(capacity)]{};
        for (int i = 0; i < count; ++i) data[i] = items[i];
        delete[] items;
        items = data;
        capacity_ = capacity;
    }

private:
    int capacity_ = 0;
};

} // namespace chainrule::core
