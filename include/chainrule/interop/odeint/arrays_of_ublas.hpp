// SPDX-License-Identifier: BSL-1.0
//
// Makes Boost.uBLAS before Boost 1.76 compile as C++20, for Odeint's implicit steppers: its arrays call members of
// their allocator that C++20 removed from std::allocator. This header can go when Boost 1.76 is required.
#pragma once

#include <boost/version.hpp>

#if BOOST_VERSION < 107600

#include <boost/numeric/ublas/storage.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

// The members that do so, for numbers in vectors and matrices, and for positions in permutations. (Not the whole class:
// uBLAS's header of permutations has made one of its arrays.)
#define CHAINRULE_ARRAYS_OF(T)                                                                                         \
    template <>                                                                                                        \
    inline boost::numeric::ublas::unbounded_array<T, std::allocator<T>>::unbounded_array(size_type size,               \
                                                                                         const std::allocator<T>& a)   \
        : alloc_(a), size_(size), data_(size == 0 ? nullptr : alloc_.allocate(size)) {}                                \
    template <>                                                                                                        \
    inline void boost::numeric::ublas::unbounded_array<T, std::allocator<T>>::resize_internal(                         \
        const size_type size, const value_type init, const bool preserve) {                                            \
        if (size == size_) return;                                                                                     \
        unbounded_array resized(size, alloc_);                                                                         \
        if (preserve) {                                                                                                \
            const size_type kept = std::min(size, size_);                                                              \
            std::uninitialized_fill(std::uninitialized_copy(data_, data_ + kept, resized.data_), resized.data_ + size, \
                                    init);                                                                             \
        }                                                                                                              \
        std::swap(data_, resized.data_);                                                                               \
        std::swap(size_, resized.size_);                                                                               \
    }
CHAINRULE_ARRAYS_OF(float)
CHAINRULE_ARRAYS_OF(double)
CHAINRULE_ARRAYS_OF(long double)
CHAINRULE_ARRAYS_OF(std::size_t)
#undef CHAINRULE_ARRAYS_OF

#endif
