// SPDX-License-Identifier: BSL-1.0
//
// The tangents of a dual number as an array: an operation on each, at run time in vectors, and products with slopes in
// which a structural zero stays zero.
#pragma once

#include <chainrule/core/lanes.hpp>
#include <chainrule/core/structural_zero.hpp>
#include <chainrule/functions/device.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace chainrule::detail {

/// N tangents of type T.
template <class T, std::size_t N>
struct tangent_numbers {
    // Whether tangents are computed in vectors at run time.
#if defined(CHAINRULE_ON_DEVICE)
    enum : bool { in_lanes = false };
#else
    enum : bool { in_lanes = std::is_floating_point_v<T> && sizeof(T) <= sizeof(double) };
#endif
    // And whether those of an operation stay in registers.
    enum : bool { in_registers = in_lanes && N * sizeof(T) <= 6 * simd::register_bytes };

    // A structural zero stays zero: the derivative of a constant is 0 even if the function has an infinite derivative.
    static constexpr T moved(const T& slope, const T& tangent) {
        return core::is_structural_zero(tangent) ? tangent : slope * tangent;
    }

    // The same in vectors. `zero_kept`: zero times the slope is zero, so no lane needs care. Both branches give
    // compilers one value, which is stored after: what one of two branches stores stays in memory for the operations
    // that follow. With masks, care costs less than a branch.
    template <class V>
    [[gnu::always_inline]] static V with_care(const T& slope, const V& tangents) {
        return simd::where_not_zero(tangents, V(slope * tangents));
    }
    template <class V>
    [[gnu::always_inline]] static V moved(bool zero_kept, const T& slope, const V& tangents) {
        if constexpr (!simd::has_masks)
            if (zero_kept) [[likely]]
                return slope * tangents;
        return with_care(slope, tangents);
    }
    template <class V>
    [[gnu::always_inline]] static V moved(bool zero_kept, const T& by_x, const V& x, const T& by_y, const V& y) {
        if constexpr (!simd::has_masks)
            if (zero_kept) [[likely]]
                return by_x * x + by_y * y;
        return with_care(by_x, x) + with_care(by_y, y);
    }

    // By value and never inlined: this rare path must not force the tangents of all dual numbers into memory.
    [[gnu::noinline, gnu::cold]] static constexpr std::array<T, N> all_moved(T slope, std::array<T, N> tangents) {
        for (T& t : tangents) t = moved(slope, t);
        return tangents;
    }

    // to[k] = compute(from[k]...). At run time, one register of tangents at a time: compilers unroll loops of this
    // length before they vectorise them.
    template <class Compute, class... Tangents>
    static constexpr void write(std::array<T, N>& to, const Compute& compute, const Tangents&... from) {
        if constexpr (in_lanes) {
            if (!std::is_constant_evaluated()) {
                simd::transform<T, N>(to.data(), compute, from.data()...);
                return;
            }
        }
        for (std::size_t k = 0; k < N; ++k) to[k] = compute(from[k]...);
    }
};

} // namespace chainrule::detail
