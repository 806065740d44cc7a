// SPDX-License-Identifier: BSL-1.0
//
// Uninitialised memory for long arrays of numbers. On Linux arrays of several MiB are in huge pages where the system
// gives them on request: a page of 2 MiB is zeroed at once, where 512 small ones take a fault each.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace chainrule::core {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Whether an array of that many bytes fills one, so that it begins at one.
[[nodiscard]] constexpr bool fills_huge_pages(std::size_t bytes) { return bytes >= huge_page; }

/// Lets the system take the memory of an array of numbers that nobody needs, should it run short; returns false if it
/// cannot. What it leaves need not be zeroed when it is written again. The elements then have no values.
template <class T>
[[nodiscard]] bool offer_to_system([[maybe_unused]] T* numbers, [[maybe_unused]] std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
#if defined(MADV_FREE)
    const std::size_t bytes = count * sizeof(T);
    return !fills_huge_pages(bytes) || madvise(numbers, bytes / huge_page * huge_page, MADV_FREE) == 0;
#else
    return false;
#endif
}

/// An allocator for arrays that may be long. Elements that are given no value have none, if T is a built-in type.
template <class T>
struct large_allocator {
    using value_type = T;

    large_allocator() = default;
    template <class U>
    large_allocator(const large_allocator<U>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (!is_aligned(bytes)) return static_cast<T*>(::operator new(bytes));
        void* const memory = ::operator new(bytes, alignment(bytes));
#if defined(MADV_HUGEPAGE)
        if (fills_huge_pages(bytes)) static_cast<void>(madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE));
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (is_aligned(bytes))
            ::operator delete(memory, alignment(bytes));
        else
            ::operator delete(memory);
    }

    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
        ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
    }

    friend bool operator==(const large_allocator&, const large_allocator&) { return true; }

private:
    static constexpr bool is_aligned(std::size_t bytes) {
        return fills_huge_pages(bytes) || alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    }
    static std::align_val_t alignment(std::size_t bytes) {
        return static_cast<std::align_val_t>(fills_huge_pages(bytes) ? huge_page : alignof(T));
    }
};

/// Frees a large_array.
template <class T>
struct large_array_deleter {
    std::size_t count;

    void operator()(T* numbers) const {
        if constexpr (!std::is_trivially_copyable_v<T>) std::destroy_n(numbers, count);
        large_allocator<T>().deallocate(numbers, count);
    }
};
/// An array of numbers that are written before they are read: those that are trivially copyable are not constructed.
template <class T>
using large_array = std::unique_ptr<T[], large_array_deleter<T>>;

template <class T>
[[nodiscard]] large_array<T> make_large_array(std::size_t count) {
    struct freed { // if a constructor throws
        T* memory;
        std::size_t count;
        ~freed() {
            if (memory != nullptr) large_allocator<T>().deallocate(memory, count);
        }
    } made{large_allocator<T>().allocate(count), count};
    if constexpr (!std::is_trivially_copyable_v<T>) std::uninitialized_value_construct_n(made.memory, count);
    return {std::exchange(made.memory, nullptr), {count}};
}

} // namespace chainrule::core
