// SPDX-License-Identifier: BSL-1.0
//
// Arrays aligned to a cache line, for weights and the state of optimisers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace chainrule::tensor::storage {

/// An array aligned to a cache line, initialised with zeros. Copies copy the numbers.
template <class T>
class aligned_numbers {
public:
    aligned_numbers() = default;
    explicit aligned_numbers(std::size_t count)
        : data_(count == 0 ? nullptr : static_cast<T*>(::operator new(count * sizeof(T), alignment))), count_(count) {
        std::fill_n(data_, count_, T(0));
    }
    aligned_numbers(const aligned_numbers& other) : aligned_numbers(other.count_) {
        std::copy_n(other.data_, count_, data_);
    }
    aligned_numbers(aligned_numbers&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    aligned_numbers& operator=(aligned_numbers other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~aligned_numbers() { ::operator delete(data_, alignment); }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    static constexpr std::align_val_t alignment{64};
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace chainrule::tensor::storage
