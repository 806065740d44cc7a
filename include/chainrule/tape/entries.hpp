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

/// Finds the indices of the operands; returns false if not all are recorded on this head, or if there is no room.
template <class T, std::size_t Count>
[[nodiscard, gnu::always_inline]] inline bool find_operands(const head<T>& at, const std::array<place, Count>& places,
                                                            std::array<index, Count>& given) {
    bool all = true;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE { all = all && at.find(places[k], given[k]); });
    return all && at.has_room(Count);
}

/// Ends a statement whose partial derivatives are written, one for each operand in order.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline place finish_statement(head<T>& at, const std::array<index, Count>& given) {
    index* const numbers = at.operands + at.entry;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        numbers[k] = k + 1 < Count ? given[k] : given[k] | recording<T>::last_operand;
    });
    // A processor can queue only a few dozen stores, which complete in order, so memory is prefetched.
    constexpr std::ptrdiff_t ahead = 192;
    prefetch(at.partials + at.entry, ahead);
    prefetch(numbers, ahead);
    at.entry += Count;
    return at.add_result();
}

/// The same for some of the operands, omitting those with index zero and those whose derivative is zero.
/// Branch-free, since they are hard to predict.
template <bool DropsZeros, class T, std::size_t Count>
[[gnu::always_inline]] inline place finish_statement_of_some(head<T>& at, const std::array<index, Count>& given) {
    T* const to = at.partials + at.entry;
    index* const numbers = at.operands + at.entry;
    std::size_t count = 0;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        bool kept = given[k] != 0;
        if constexpr (DropsZeros) kept = kept & !core::is_structural_zero(to[k]);
        if (k > 0) to[count] = to[k];
        numbers[count] = given[k];
        count += kept ? 1U : 0U;
    });
    if constexpr (DropsZeros)
        if (count == 0) { // a result that depends on nothing gets an entry without effect
            to[0] = T{};
            numbers[0] = 0;
            count = 1;
        }
    numbers[count - 1] |= recording<T>::last_operand;
    at.entry += count;
    return at.add_result();
}

} // namespace chainrule::tape
