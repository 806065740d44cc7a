// SPDX-License-Identifier: BSL-1.0
//
// Lanes: several numbers in one vector register, as one number type with which kernels run unchanged. They are the
// compiler's own vectors, so they exist for every processor, are contracted and folded like built-in numbers, and cost
// nothing to parse. batch/lanes/lanes.hpp includes everything for them.
#pragma once

#include <chainrule/functions/comparisons.hpp>
#include <chainrule/core/lanes.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace chainrule::batches {

/// One truth value per lane: the result of comparing lanes.
template <class T, std::size_t Count>
struct lane_mask {
    /// All bits of a lane are set where it is true.
    using register_type = simd::lanes<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, Count>;
    register_type bits;

    [[gnu::always_inline]] friend lane_mask operator&(const lane_mask& a, const lane_mask& b) {
        return {a.bits & b.bits};
    }
    [[gnu::always_inline]] friend lane_mask operator|(const lane_mask& a, const lane_mask& b) {
        return {a.bits | b.bits};
    }
    [[gnu::always_inline]] friend lane_mask operator!(const lane_mask& a) { return {~a.bits}; }
};

/// Count numbers of type T, float or double, in one register, with operators lane by lane.
template <class T, std::size_t Count>
struct vector_number {
    using register_type = simd::lanes<T, Count>;
    using mask_type = lane_mask<T, Count>;
    /// Formulas of the table may branch; batch/lanes/functions.hpp has the functions for lanes.
    using has_functions_of_table = void;

    register_type value;

    vector_number() = default;
    [[gnu::always_inline]] constexpr vector_number(const register_type& lanes) : value(lanes) {}
    /// The same number in every lane.
    template <class N>
    requires std::is_arithmetic_v<N>
    [[gnu::always_inline]] constexpr vector_number(N number) : value(static_cast<T>(number) - register_type{}) {}

    [[gnu::always_inline]] constexpr T operator[](std::size_t lane) const { return value[lane]; }

    [[gnu::always_inline]] friend constexpr vector_number operator-(const vector_number& a) { return {-a.value}; }
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    [[gnu::always_inline]] friend constexpr vector_number operator SYMBOL(const vector_number& a,                      \
                                                                          const vector_number& b) {                    \
        return {a.value SYMBOL b.value};                                                                               \
    }                                                                                                                  \
    [[gnu::always_inline]] constexpr vector_number& operator SYMBOL##=(const vector_number & b) {                      \
        value = value SYMBOL b.value;                                                                                  \
        return *this;                                                                                                  \
    }
    CHAINRULE_OPERATOR(+)
    CHAINRULE_OPERATOR(-)
    CHAINRULE_OPERATOR(*)
    CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR
#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    [[gnu::always_inline]] friend constexpr mask_type operator SYMBOL(const vector_number& a,                          \
                                                                      const vector_number& b) {                        \
        return {a.value SYMBOL b.value};                                                                               \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
};

/// The first number where the mask is true, else the second.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline constexpr vector_number<T, Count>
select(const lane_mask<T, Count>& mask, const std::type_identity_t<vector_number<T, Count>>& a,
       const std::type_identity_t<vector_number<T, Count>>& b) {
    return {mask.bits ? a.value : b.value};
}
template <std::floating_point T>
[[gnu::always_inline]] inline constexpr T select(bool condition, T a, T b) {
    return condition ? a : b;
}

/// Whether some lane is true.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline bool any_of(const lane_mask<T, Count>& mask) {
    if constexpr (Count < 4) {
        bool any = false;
        for (std::size_t i = 0; i < Count; ++i) any |= mask.bits[i] != 0;
        return any;
    } else {
        lane_mask<T, Count / 2> halves[2];
        std::memcpy(halves, &mask, sizeof mask);
        return any_of(halves[0] | halves[1]);
    }
}
[[gnu::always_inline]] inline constexpr bool any_of(bool condition) { return condition; }
/// Whether every lane is true.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline bool all_of(const lane_mask<T, Count>& mask) {
    return !any_of(!mask);
}
[[gnu::always_inline]] inline constexpr bool all_of(bool condition) { return condition; }

template <class T>
struct widest_lanes {
    using type = T;
};
#if !defined(CHAINRULE_NO_LANES)
template <class T>
requires(std::same_as<T, float> || std::same_as<T, double>)
struct widest_lanes<T> {
    using type = vector_number<T, simd::native_lanes<T>>;
};
#endif
/// The lanes for numbers of type T that fill a register under the compiler's flags; T itself for a type without lanes,
/// and with CHAINRULE_NO_LANES defined.
template <class T>
using widest = typename widest_lanes<T>::type;

template <class L>
struct lane_properties {
    using element = L;
    static constexpr std::size_t count = 1;
};
template <class T, std::size_t Count>
struct lane_properties<vector_number<T, Count>> {
    using element = T;
    static constexpr std::size_t count = Count;
};
/// The number of lanes of a number type: 1 for double.
template <class L>
inline constexpr std::size_t lane_count = lane_properties<L>::count;
/// The type of one lane: double for double.
template <class L>
using element = typename lane_properties<L>::element;

} // namespace chainrule::batches
