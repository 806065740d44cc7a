// SPDX-License-Identifier: BSL-1.0
//
// The one container of the optimiser: an array that grows, usable in constant expressions.
// std::vector is not: clang 19 rejects that of libstdc++ 12 there.
#pragma once

namespace chainrule::program {

template <class T>
class list {
public:
    constexpr list() = default;
    constexpr explicit list(int size, T value = T{}) { resize(size, value); }
    constexpr list(const list& other) {
        reserve(other.size_);
        for (int i = 0; i < other.size_; ++i) data_[i] = other.data_[i];
        size_ = other.size_;
    }
    constexpr list(list&& other) noexcept : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
        other.data_ = nullptr;
        other.size_ = other.capacity_ = 0;
    }
    constexpr list& operator=(list other) noexcept {
        swap(other);
        return *this;
    }
    constexpr ~list() { delete[] data_; }

    constexpr void swap(list& other) noexcept {
        T* const data = data_;
        const int size = size_, capacity = capacity_;
        data_ = other.data_;
        size_ = other.size_;
        capacity_ = other.capacity_;
        other.data_ = data;
        other.size_ = size;
        other.capacity_ = capacity;
    }

    [[nodiscard]] constexpr int size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr T& operator[](int i) { return data_[i]; }
    [[nodiscard]] constexpr const T& operator[](int i) const { return data_[i]; }
    [[nodiscard]] constexpr T& back() { return data_[size_ - 1]; }
    [[nodiscard]] constexpr T* begin() { return data_; }
    [[nodiscard]] constexpr T* end() { return data_ + size_; }
    [[nodiscard]] constexpr const T* begin() const { return data_; }
    [[nodiscard]] constexpr const T* end() const { return data_ + size_; }

    constexpr void push_back(T value) {
        if (size_ == capacity_) reserve(capacity_ < 16 ? 32 : 2 * capacity_);
        data_[size_++] = value;
    }
    constexpr T pop_back() { return data_[--size_]; }
    /// Forgets all but the first `size` elements.
    constexpr void truncate(int size) { size_ = size; }
    constexpr void resize(int size, T value = T{}) {
        if (size > capacity_) reserve(size > 2 * capacity_ ? size : 2 * capacity_);
        for (int i = size_; i < size; ++i) data_[i] = value;
        size_ = size;
    }
    constexpr void reserve(int capacity) {
        if (capacity <= capacity_) return;
        T* const data = new T[static_cast<unsigned>(capacity)]{};
        for (int i = 0; i < size_; ++i) data[i] = data_[i];
        delete[] data_;
        data_ = data;
        capacity_ = capacity;
    }

private:
    T* data_ = nullptr;
    int size_ = 0;
    int capacity_ = 0;
};

} // namespace chainrule::program
