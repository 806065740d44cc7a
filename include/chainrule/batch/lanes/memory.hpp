// SPDX-License-Identifier: BSL-1.0
//
// Lanes from memory and to memory, at any alignment, and the reductions of lanes to one number. All functions also take
// a plain number, as a single lane.
#pragma once

#include <chainrule/batch/lanes/vector_number.hpp>

namespace chainrule::batches {

// A register as an array.
template <class L>
struct lane_array {
    element<L> values[lane_count<L>];
};
template <class L>
[[gnu::always_inline]] inline L from_array(const lane_array<L>& array) {
    L lanes;
    std::memcpy(&lanes, array.values, sizeof array.values);
    return lanes;
}
template <class L>
[[gnu::always_inline]] inline lane_array<L> to_array(const L& lanes) {
    lane_array<L> array;
    std::memcpy(array.values, &lanes, sizeof array.values);
    return array;
}

/// The lanes that begin at an address.
template <class L>
[[gnu::always_inline]] inline L load(const element<L>* from) {
    L lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
/// The first `count` lanes from an address, and `rest` in the others. Reads nothing beyond `count`.
template <class L>
[[gnu::always_inline]] inline L load_first(const element<L>* from, std::size_t count, element<L> rest) {
    lane_array<L> array;
    for (std::size_t i = 0; i < lane_count<L>; ++i) array.values[i] = i < count ? from[i] : rest;
    return from_array<L>(array);
}
/// Numbers that lie `stride` elements apart.
template <class L>
[[gnu::always_inline]] inline L gather(const element<L>* from, std::ptrdiff_t stride) {
    lane_array<L> array;
    for (std::size_t i = 0; i < lane_count<L>; ++i) array.values[i] = from[static_cast<std::ptrdiff_t>(i) * stride];
    return from_array<L>(array);
}
template <class L>
[[gnu::always_inline]] inline void store(const L& lanes, element<L>* to) {
    std::memcpy(to, &lanes, sizeof lanes);
}
/// Writes the first `count` lanes.
template <class L>
[[gnu::always_inline]] inline void store_first(const L& lanes, element<L>* to, std::size_t count) {
    const lane_array<L> array = to_array(lanes);
    for (std::size_t i = 0; i < lane_count<L> && i < count; ++i) to[i] = array.values[i];
}
/// Writes the lanes `stride` elements apart.
template <class L>
[[gnu::always_inline]] inline void scatter(const L& lanes, element<L>* to, std::ptrdiff_t stride) {
    const lane_array<L> array = to_array(lanes);
    for (std::size_t i = 0; i < lane_count<L>; ++i) to[static_cast<std::ptrdiff_t>(i) * stride] = array.values[i];
}

// Combines the lower half of the lanes with the upper half until one number is left.
template <class T, std::size_t Count, class Combine>
[[gnu::always_inline]] inline T reduced(const vector_number<T, Count>& lanes, const Combine& combine) {
    if constexpr (Count == 1) {
        return lanes.value[0];
    } else {
        vector_number<T, Count / 2> halves[2];
        std::memcpy(halves, &lanes, sizeof lanes);
        return reduced(combine(halves[0], halves[1]), combine);
    }
}

// Not lambdas: g++ declares the parameters of those again where a template is instantiated, and warns if they shadow
// variables of the user.
#define CHAINRULE_COMBINATION(NAME, RESULT)                                                                            \
    struct NAME {                                                                                                      \
        template <class T>                                                                                             \
        [[gnu::always_inline]] inline T operator()(const T& a, const T& b) const {                                     \
            return RESULT;                                                                                             \
        }                                                                                                              \
    };
CHAINRULE_COMBINATION(sum_of_two, (a + b))
CHAINRULE_COMBINATION(product_of_two, (a * b))
#undef CHAINRULE_COMBINATION

/// The sum of all lanes, by adding halves.
template <class L>
[[gnu::always_inline]] inline element<L> sum_of(const L& lanes) {
    if constexpr (lane_count<L> == 1)
        return lanes;
    else
        return reduced(lanes, sum_of_two{});
}
/// The product of all lanes, by multiplying halves.
template <class L>
[[gnu::always_inline]] inline element<L> product_of(const L& lanes) {
    if constexpr (lane_count<L> == 1)
        return lanes;
    else
        return reduced(lanes, product_of_two{});
}

} // namespace chainrule::batches
