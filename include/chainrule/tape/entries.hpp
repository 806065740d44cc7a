// SPDX-License-Identifier: BSL-1.0
//
// The entries of one statement, written directly on a head: the partial derivatives are there already, and these
// functions find the indices of the operands and add them. tape/tape.hpp uses them to record.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/core/structural_zero.hpp>
#include <chainrule/tape/recording.hpp>

#include <array>
#include <utility>

// For the lambdas of a statement: a call would cost more than its work.
#define CHAINRULE_INLINE __attribute__((always_inline))

namespace chainrule::tape {

/// Calls f with 0, 1, ..., Count - 1, as constants if there are few.
template <std::size_t Count, class F>
[[gnu::always_inline]] inline void for_each_index(const F& f) {
    core::for_each_index<Count, 16>(f);
}

/// Finds the indices of the operands; returns false if not all were recorded on this head since the last rewind, or if
/// there is no room.
template <class T, std::size_t Count>
[[nodiscard, gnu::always_inline]] inline bool find_operands(const head<T>& at, const std::array<place, Count>& places,
                                                            std::array<index, Count>& given) {
    bool all = true;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE { all = all && at.now.find(places[k], given[k]); });
    return all && at.has_room(Count);
}

/// Prefetches memory for later statements: a processor can queue only a few dozen stores, which complete in order.
template <class T>
[[gnu::always_inline]] inline void fetch_next(const head<T>& at) {
    constexpr std::ptrdiff_t ahead = 192;
    prefetch(at.partials + at.entry, ahead);
    prefetch(at.operands + at.entry, ahead);
}

/// Ends a statement whose partial derivatives are written, one for each operand in order.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline place finish_statement(head<T>& at, const std::array<index, Count>& given) {
    index* const numbers = at.operands + at.entry;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        numbers[k] = k + 1 < Count ? given[k] : given[k] | recording<T>::last_operand;
    });
    fetch_next(at);
    at.entry += Count;
    return at.add_result();
}

/// Ends a statement with so many entries; one without any gets an entry without effect.
template <class T>
[[gnu::always_inline]] inline place finish_statement_of(head<T>& at, std::size_t count) {
    if (count == 0) {
        at.partials[at.entry] = T{};
        at.operands[at.entry] = 0;
        count = 1;
    }
    at.operands[at.entry + count - 1] |= recording<T>::last_operand;
    fetch_next(at);
    at.entry += count;
    return at.add_result();
}

/// The same for some of the operands, omitting those whose derivative is zero. Branch-free, since they are hard to
/// predict.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline place finish_statement_without_zeros(head<T>& at, const std::array<index, Count>& given,
                                                                   const std::array<T, Count>& partials) {
    T* const to = at.partials + at.entry;
    index* const numbers = at.operands + at.entry;
    std::size_t count = 0;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        to[count] = partials[k];
        numbers[count] = given[k];
        count += core::is_structural_zero(partials[k]) ? 0U : 1U;
    });
    return finish_statement_of(at, count);
}

/// Finds the indices of operands of which some may be plain numbers, with index zero, or older than the last rewind.
/// Returns false if others are not recorded on this head, or if there is no room.
template <class T, std::size_t Count>
[[nodiscard, gnu::always_inline]] inline bool
find_recorded_operands(const head<T>& at, const std::array<place, Count>& places, std::array<index, Count>& given) {
    bool all = at.has_room(Count);
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        if (places[k] == 0)
            given[k] = 0;
        else
            all = all && at.find(places[k], given[k]);
    });
    return all;
}

/// Ends a statement with plain operands too, whose index is zero and which get no entry.
template <bool DropsZeros, class T, std::size_t Count>
[[gnu::always_inline]] inline place finish_statement_of_some(head<T>& at, const std::array<place, Count>& places,
                                                             const std::array<index, Count>& given,
                                                             const std::array<T, Count>& partials) {
    T* const to = at.partials + at.entry;
    index* const numbers = at.operands + at.entry;
    std::size_t count = 0;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        if (places[k] == 0) return; // the same operands as at the last time, usually
        to[count] = partials[k];
        numbers[count] = given[k];
        count += DropsZeros && core::is_structural_zero(partials[k]) ? 0U : 1U;
    });
    if constexpr (!DropsZeros)
        if (count == 0) __builtin_unreachable(); // some are recorded
    return finish_statement_of(at, count);
}

} // namespace chainrule::tape
