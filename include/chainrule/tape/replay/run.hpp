// SPDX-License-Identifier: BSL-1.0
//
// A run: one operation on many operands, which is what a replay consists of, and the loops that an operation has for
// every kind of sweep. tape/replay/loops.hpp has these loops.
#pragma once

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/dual/dual.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace chainrule::tape::replays {

/// The place of a value in the memory of a replay.
using slot = std::uint32_t;

/// How the operands of a run lie in memory.
enum class pattern : unsigned char { scattered, consecutive, same };

/// Slots, counted from the lowest of them. Runs that repeat earlier ones elsewhere share their lists, which stay in the
/// caches.
struct slot_list {
    slot lowest = 0;
    slot place = 0; // in the list of all

    [[nodiscard, gnu::always_inline]] const slot* in(const slot* all) const { return all + place; }
    /// The slot of an element.
    [[nodiscard, gnu::always_inline]] slot at(const slot* all, std::size_t k) const { return lowest + all[place + k]; }
};

template <class T>
struct operation;
template <class T>
struct series_table;

/// One operation on several operands, in this order. The results follow one another.
template <class T>
struct run {
    const operation<T>* what;
    slot result, result_adjoint;
    slot count;
    slot_list operands[3]; // by operand
    slot_list adjoints[3]; // the same for those that vary
    std::array<pattern, 3> patterns;
    unsigned char varying; // bit k: operand k has a derivative
    bool dependent;        // an operand is a result of the same run
    bool in_lanes;         // no operand is scattered
    slot cleared;          // how many blocks of adjoints begin with this run, backwards
};

/// How many directions or outputs a sweep carries at once.
inline constexpr std::size_t directions = 8, second_directions = 4;
template <class T>
using lane_values = std::array<T, directions>;
template <class T>
using second = dual<T, second_directions>;
template <class T>
using points_at_once = batches::widest<T>;

/// An operation, compiled for every kind of sweep.
template <class T>
struct operation {
    const char* name;
    unsigned code; // in graphs, or no_code
    unsigned arity;
    bool truth;
    std::array<unsigned, 3> curvature; // bit j of k: the derivative by operand k varies with operand j
    std::array<unsigned, 3> reads;     // bit j of k: it reads operand j, or the result after the operands
    void (*values)(const run<T>&, const slot*, T*);
    void (*adjoints)(const run<T>&, const slot*, const T*, T*);
    void (*tangents)(const run<T>&, const slot*, const T*, lane_values<T>*);
    void (*several_adjoints)(const run<T>&, const slot*, const T*, lane_values<T>*);
    void (*second_values)(const run<T>&, const slot*, second<T>*);
    void (*second_adjoints)(const run<T>&, const slot*, const second<T>*, second<T>*);
    void (*values_at_points)(const run<T>&, const slot*, points_at_once<T>*);
    void (*adjoints_at_points)(const run<T>&, const slot*, const points_at_once<T>*, points_at_once<T>*);
    void (*series)(const run<T>&, const slot*, const T*, series_table<T>&);
};

} // namespace chainrule::tape::replays
