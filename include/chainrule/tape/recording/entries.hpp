// SPDX-License-Identifier: BSL-1.0
//
// The entries of one statement, written directly on a head: the partial derivatives are there already, and these
// functions find the indices of the operands and add them. tape/recording/statement_writer.hpp uses them to record.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/core/structural_zero.hpp>
#include <chainrule/tape/recording/recording.hpp>

#include <array>
#include <cstdint>
#include <utility>

// Entries are written in place: a call would cost more than its work. Without optimisation, nothing is in place, and
// g++ would take 1.5 times as long and 1.6 times the memory to compile the tests of statements.
#if defined(__OPTIMIZE__)
#define CHAINRULE_INLINE __attribute__((always_inline))
#else
#define CHAINRULE_INLINE
#endif

namespace chainrule::tape {

/// Calls f with 0, 1, ..., Count - 1, as constants if there are few.
template <std::size_t Count, class F>
CHAINRULE_INLINE inline void for_each_index(const F& f) {
    core::for_each_index<Count, 16>(f);
}

/// Finds the indices of the operands; returns false if not all were recorded on this head since the last rewind, or if
/// there is no room.
template <class T, std::size_t Count>
[[nodiscard]] CHAINRULE_INLINE inline bool find_operands(const head<T>& at, const std::array<place, Count>& places,
                                                         std::array<index, Count>& given) {
    bool all = true;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE { all = all && at.now.find(places[k], given[k]); });
    return all && at.has_room(Count);
}

/// Prefetches memory for later statements: a processor can queue only a few dozen stores, which complete in order.
template <class T>
CHAINRULE_INLINE inline void fetch_next(const head<T>& at) {
    constexpr std::ptrdiff_t ahead = 192;
    prefetch(at.partials + at.entry, ahead);
    prefetch(at.operands + at.entry, ahead);
}

/// Writes a number; one of several parts, as dual numbers are, part by part: dual/dual.hpp.
template <class T>
CHAINRULE_INLINE inline void write_number(T& to, const T& from) {
    if constexpr (requires { assign_parts(to, from); })
        assign_parts(to, from);
    else
        to = from;
}

/// Ends a statement whose partial derivatives are written, one for each operand in order.
template <class T, std::size_t Count>
CHAINRULE_INLINE inline place finish_statement(head<T>& at, const std::array<index, Count>& given) {
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
CHAINRULE_INLINE inline place finish_statement_of(head<T>& at, std::size_t count) {
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
CHAINRULE_INLINE inline place finish_statement_without_zeros(head<T>& at, const std::array<index, Count>& given,
                                                             const std::array<T, Count>& partials) {
    T* const to = at.partials + at.entry;
    index* const numbers = at.operands + at.entry;
    std::size_t count = 0;
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        write_number(to[count], partials[k]);
        numbers[count] = given[k];
        count += core::is_structural_zero(partials[k]) ? 0U : 1U;
    });
    return finish_statement_of(at, count);
}

/// Finds the indices of operands. Some may be plain numbers, with index zero, or older than the last rewind.
/// Returns false if others are not recorded on this head, or if there is no room.
template <class T, std::size_t Count>
[[nodiscard]] CHAINRULE_INLINE inline bool
find_recorded_operands(const head<T>& at, const std::array<place, Count>& places, std::array<index, Count>& given) {
    bool all = at.has_room(Count);
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        if (is_plain(places[k]))
            given[k] = 0;
        else
            all = at.find(places[k], given[k]) && all; // always called: g++ warns of operands without a value
    });
    return all;
}

/// What a statement needs to know of its operands. `factors[k]` are those whose zero makes the partial derivative with
/// respect to operand k a structural zero, if they are plain: bit j is operand j.
template <std::size_t Count>
struct factors_of_operands {
    bool drops_zeros = false; // omits operands whose partial derivative is zero
    std::array<std::uint16_t, Count> factors{};

    /// Whether plain operands matter for others.
    [[nodiscard]] constexpr bool has_factors() const {
        return std::any_of(factors.begin(), factors.end(), [](auto f) { return f != 0; });
    }
};

/// Whether an operand gets no entry, beside plain operands in a mask.
template <auto Form, class T, std::size_t Count>
[[nodiscard]] CHAINRULE_INLINE inline bool is_dropped(std::size_t k, unsigned plain,
                                                      const std::array<T, Count>& partials,
                                                      const std::array<const T*, Count>& values) {
    if (!core::is_structural_zero(partials[k])) return false;
    if constexpr (Form.drops_zeros) return true;
    bool dropped = false;
    if constexpr (Form.has_factors())
        for_each_index<Count>([&](std::size_t j) CHAINRULE_INLINE {
            if ((Form.factors[k] & plain & (1U << j)) != 0) dropped = dropped || core::is_structural_zero(*values[j]);
        });
    return dropped;
}

/// Ends a statement with plain operands too, whose index is zero and which get no entry.
template <auto Form, class T, std::size_t Count>
CHAINRULE_INLINE inline place
finish_statement_of_some(head<T>& at, const std::array<place, Count>& places, const std::array<index, Count>& given,
                         const std::array<T, Count>& partials, const std::array<const T*, Count>& values) {
    T* const to = at.partials + at.entry;
    index* const numbers = at.operands + at.entry;
    std::size_t count = 0;
    unsigned plain = 0;
    if constexpr (Form.has_factors())
        for_each_index<Count>([&](std::size_t k)
                                  CHAINRULE_INLINE { plain |= static_cast<unsigned>(is_plain(places[k])) << k; });
    for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
        if (is_plain(places[k])) return; // the same operands as at the last time, usually
        write_number(to[count], partials[k]);
        numbers[count] = given[k];
        count += is_dropped<Form>(k, plain, partials, values) ? 0U : 1U;
    });
    if (!Form.drops_zeros && count == 0) return constant_result;
    return finish_statement_of(at, count);
}

/// Records a statement of few operands whose partial derivatives are known; returns false if it must be recorded
/// elsewhere. Decides for one operand after another whether it gets an entry, so that nothing is counted at run time
/// and each is tested once.
template <auto Form, std::size_t... Kept, class T, std::size_t Count, std::size_t... Rest>
[[nodiscard]] CHAINRULE_INLINE inline bool
finish_short_statement(head<T>& at, const std::array<place, Count>& places, std::array<index, Count>& given,
                       const std::array<T, Count>& partials, const std::array<const T*, Count>& values, place& result,
                       std::index_sequence<Rest...>) {
    constexpr std::size_t kept = sizeof...(Kept), k = Count - sizeof...(Rest);
    if constexpr (k < Count) {
        constexpr std::make_index_sequence<sizeof...(Rest) - 1> rest;
        const place where = places[k];
        // A number that compilers know to be plain needs no search.
        if (!(__builtin_constant_p(where) && is_plain(where))) {
            if (at.now.find(where, given[k]) || (!is_plain(where) && at.kept.find(where, given[k])))
                return finish_short_statement<Form, Kept..., k>(at, places, given, partials, values, result, rest);
            if (!is_plain(where)) return false;
        }
        return finish_short_statement<Form, Kept...>(at, places, given, partials, values, result, rest);
    } else if constexpr (kept == 0) {
        result = 0;
        for_each_index<Count>([&](std::size_t j) CHAINRULE_INLINE { result |= places[j]; });
        return true;
    } else {
        if (!at.has_room(kept)) [[unlikely]]
            return false;
        constexpr unsigned plain = (1U << Count) - 1 - ((1U << Kept) + ...);
        constexpr bool may_drop = Form.drops_zeros || (((Form.factors[Kept] & plain) != 0) || ...);
        T* const to = at.partials + at.entry;
        index* const numbers = at.operands + at.entry;
        if constexpr (may_drop) {
            if constexpr (!Form.drops_zeros)
                if ((is_dropped<Form>(Kept, plain, partials, values) && ...)) {
                    result = constant_result;
                    return true;
                }
            if constexpr (kept > 1 || Form.drops_zeros) {
                std::size_t count = 0;
                const auto add = [&](std::size_t j) CHAINRULE_INLINE {
                    write_number(to[count], partials[j]);
                    numbers[count] = given[j];
                    count += is_dropped<Form>(j, plain, partials, values) ? 0U : 1U;
                };
                (add(Kept), ...);
                result = finish_statement_of(at, count);
                return true;
            }
        }
        constexpr std::size_t order[] = {Kept...};
        for_each_index<kept>([&](std::size_t i) CHAINRULE_INLINE {
            write_number(to[i], partials[order[i]]);
            numbers[i] = i + 1 < kept ? given[order[i]] : given[order[i]] | recording<T>::last_operand;
        });
        fetch_next(at);
        at.entry += kept;
        result = at.add_result();
        return true;
    }
}

} // namespace chainrule::tape
