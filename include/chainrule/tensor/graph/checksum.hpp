// SPDX-License-Identifier: BSL-1.0
//
// The checksum of a value's numbers, which finds changes that no version counts: those through a span.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/tensor/graph/node.hpp>
#include <chainrule/tensor/kernels/lanes.hpp>
#include <chainrule/tensor/kernels/loops.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace chainrule::tensor::graph {

/// A checksum of the bits of all elements in order. It misses one change in 2^32. (Without the attribute `cold`, with
/// which g++ takes three times as long.)
template <arithmetic T>
[[gnu::noinline]] std::uint32_t checksum(const node<T>& of) {
    // Words of 32 bits in vectors, or of 64 bits where registers are so short that numbers are multiplied as fast.
    constexpr bool in_vectors = kernels::register_bytes >= 32;
    using bits = std::conditional_t<in_vectors, std::uint32_t, std::uint64_t>;
    using word = std::conditional_t<in_vectors, kernels::lanes<bits>, bits>;
    constexpr std::size_t at_once = 8; // independent of each other, so that they overlap
    // A product spreads a bit to higher ones only, and the rotation brings those down.
    const auto mixed = []<class Word>(const Word& sum, const Word& next, auto odd) {
        constexpr int size = std::numeric_limits<decltype(odd)>::digits;
        const Word product = (sum ^ next) * odd;
        return Word(product << (size / 2 - 1) | product >> (size / 2 + 1));
    };
    // 2^32 and 2^64 over the golden ratio; and times the fraction of the square root of 2, to join sums: with the same
    // factor, changes in two places could cancel.
    constexpr std::uint64_t long_odd = 0x9e3779b97f4a7c15, joining_odd = 0x6a09e667f3bcc909;
    constexpr bits odd = in_vectors ? bits{0x9e3779b1} : bits(long_odd),
                   joining = in_vectors ? bits{0x6a09e667} : bits(joining_odd);

    // Of 16 bytes of a long double, 10 are its value.
    constexpr std::size_t size = std::numeric_limits<T>::digits == 64 && sizeof(T) == 16 ? 10 : sizeof(T);
    // The sums begin with different numbers: of zeros, all would stay zero, and places would be interchangeable.
    const auto begin = [](auto& all) {
        constexpr std::size_t count = sizeof(all) / 8;
        std::uint64_t numbers[count], number = long_odd;
        for (std::uint64_t& each : numbers) each = number += long_odd;
        std::memcpy(all, numbers, sizeof all);
    };
    std::uint64_t sums[at_once];
    begin(sums);
    std::size_t next = 0;
    const auto add = [&]<std::size_t Bytes>(const T* from, std::integral_constant<std::size_t, Bytes>) {
        std::uint64_t parts[2] = {};
        std::memcpy(parts, from, Bytes);
        std::uint64_t& sum = sums[next++ % at_once];
        sum = mixed(sum, parts[0], long_odd);
        if constexpr (Bytes > sizeof(std::uint64_t)) sum = mixed(sum, parts[1], long_odd);
    };
    constexpr std::integral_constant<std::size_t, size> one{};
    std::uint64_t sum = long_odd;
    if (of.dense && size == sizeof(T)) {
        const auto count = static_cast<std::size_t>(of.count);
        std::size_t i = 0;
        if (constexpr std::size_t step = at_once * sizeof(word) / sizeof(T); step <= count) {
            word words[at_once];
            begin(words);
            for (; i + step <= count; i += step)
                core::for_each_index<at_once, at_once>([&](std::size_t k) {
                    word given;
                    std::memcpy(&given, of.numbers + i + k * (step / at_once), sizeof given);
                    words[k] = mixed(words[k], given, odd);
                });
            word all{};
            for (const word& each : words) all = mixed(all, each, joining);
            std::uint64_t parts[sizeof(word) / sizeof(std::uint64_t)];
            std::memcpy(parts, &all, sizeof parts);
            for (const std::uint64_t part : parts) sum = mixed(sum, part, joining_odd);
        }
        constexpr std::size_t together = std::max<std::size_t>(sizeof(std::uint64_t) / sizeof(T), 1);
        for (; i + together <= count; i += together)
            add(of.numbers + i, std::integral_constant<std::size_t, together * sizeof(T)>{});
        for (; i < count; ++i) add(of.numbers + i, one);
    } else {
        kernels::for_each(of.shape, [&](index at) { add(of.numbers + at, one); }, of.strides);
    }
    for (std::size_t k = 0; k < std::min(next, at_once); ++k) sum = mixed(sum, sums[k], joining_odd);
    return static_cast<std::uint32_t>(sum * long_odd >> 32);
}

} // namespace chainrule::tensor::graph
