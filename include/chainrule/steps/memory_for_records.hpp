// SPDX-License-Identifier: BSL-1.0
//
// The memory for the records of steps, which the reverse pass reads: the caller's, checked for type and size, or memory
// of its own.
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/steps/options.hpp>

#include <cstddef>
#include <type_traits>

namespace chainrule::stepping {

/// Numbers for records, in the caller's memory or in their own.
template <class T>
class numbers_for_records {
public:
    constexpr explicit numbers_for_records(std::size_t size, own_memory) : own_(new T[size + 1]), first_(own_) {}
    template <class Grow>
    constexpr numbers_for_records(std::size_t size, const memory_of_caller<T, Grow>& memory) : first_(memory.first) {
        if constexpr (std::is_void_v<Grow>) {
            if (memory.size < size)
                core::raise(bad_data() << "workspace: it has " << memory.size << " numbers and the steps need " << size
                                       << "; give as many as numbers_kept() says");
        } else {
            if (memory.grow->size() < size) memory.grow->resize(size);
            first_ = memory.grow->data();
        }
    }
    constexpr ~numbers_for_records() { delete[] own_; }
    numbers_for_records(const numbers_for_records&) = delete;
    numbers_for_records& operator=(const numbers_for_records&) = delete;

    [[nodiscard]] constexpr T* first() const { return first_; }

private:
    T* own_ = nullptr;
    T* first_;
};

/// Whether memory holds numbers of type T: the caller's may hold others.
template <class Memory, class T>
inline constexpr bool is_memory_of = true;
template <class U, class Grow, class T>
inline constexpr bool is_memory_of<memory_of_caller<U, Grow>, T> = std::is_same_v<U, T>;
template <class Memory, class T>
consteval bool right_memory() {
    constexpr bool right = is_memory_of<Memory, T>;
    static_assert(right,
                  "workspace: its numbers are not of the type of the computation; pass a std::vector, std::span or "
                  "std::array of that type");
    return right;
}

} // namespace chainrule::stepping
