// SPDX-License-Identifier: BSL-1.0
//
// Reductions of the terms of all rows to one result: added, added with compensation, multiplied, or the greatest. A
// reduction has a state of `size` numbers and merges two states; V is a plain number or lanes.
// batch/execution/blocks.hpp runs it.
#pragma once

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/core/for_each_index.hpp>
#include <chainrule/functions/double_word.hpp>

#include <cstddef>
#include <limits>
#include <utility>

namespace chainrule::batches {

/// Calls f with 0, 1, ... as constants, so that arrays indexed by them stay in registers.
template <std::size_t Count, class F>
[[gnu::always_inline]] inline void for_each_index(const F& f) {
    core::for_each_index<Count, 128>(f);
}

/// Sums of all terms.
template <std::size_t Terms>
struct added {
    static constexpr std::size_t terms = Terms, size = Terms;

    template <class V>
    [[gnu::always_inline]] static void begin(V* s) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) { s[k] = V(0); });
    }
    template <class V>
    [[gnu::always_inline]] static void absorb(V* s, const V* term) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) { s[k] += term[k]; });
    }
    template <class V>
    [[gnu::always_inline]] static void merge(V* s, const V* other) {
        absorb(s, other);
    }
    /// Merges all lanes, where that is simpler than merging states.
    template <class L>
    [[gnu::always_inline]] static void merge_lanes(const L* s, element<L>* state) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) { state[k] = sum_of(s[k]); });
    }
    template <class T>
    static void finish(T*) {}
};

/// Sums of all terms with their rounding errors (Knuth's two-sum), which are added in the end.
template <std::size_t Terms>
struct added_exactly {
    static constexpr std::size_t terms = Terms, size = 2 * Terms;

    template <class V>
    [[gnu::always_inline]] static void begin(V* s) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) { s[k] = V(0); });
    }
    template <class V>
    [[gnu::always_inline]] static void absorb(V* s, const V* term) {
        for_each_index<Terms>([&](std::size_t k) __attribute__((always_inline)) {
            const auto sum = constant_evaluation::double_word<V>::exact_sum(s[k], term[k]);
            s[Terms + k] += sum.lo;
            s[k] = sum.hi;
        });
    }
    template <class V>
    [[gnu::always_inline]] static void merge(V* s, const V* other) {
        absorb(s, other);
        for_each_index<Terms>([&](std::size_t k) __attribute__((always_inline)) { s[Terms + k] += other[Terms + k]; });
    }
    /// The error of a sum that is infinite is NaN: the sum stays.
    template <class T>
    static void finish(T* s) {
        for (std::size_t k = 0; k < Terms; ++k)
            if (s[Terms + k] - s[Terms + k] == T(0)) s[k] += s[Terms + k];
    }
};

/// Products of values with their derivatives up to an order, by the product rule: a factor may be 0. The terms are the
/// value, the gradient, and the upper triangle of the Hessian.
template <std::size_t Columns, int Order>
struct multiplied {
    static constexpr std::size_t triangle = Order < 2 ? 0 : Columns * (Columns + 1) / 2;
    static constexpr std::size_t terms = 1 + (Order < 1 ? 0 : Columns) + triangle, size = terms;

    template <class V>
    [[gnu::always_inline]] static void begin(V* s) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) { s[k] = V(k == 0 ? 1 : 0); });
    }
    template <class V>
    [[gnu::always_inline]] static void absorb(V* s, const V* factor) {
        if constexpr (Order >= 2) {
            std::size_t at = 1 + Columns;
            for (std::size_t i = 0; i < Columns; ++i)
                for (std::size_t j = i; j < Columns; ++j, ++at)
                    s[at] = s[at] * factor[0] + s[0] * factor[at] + s[1 + i] * factor[1 + j] + s[1 + j] * factor[1 + i];
        }
        if constexpr (Order >= 1)
            for_each_index<Columns>([&](std::size_t k) __attribute__((always_inline)) {
                s[1 + k] = s[1 + k] * factor[0] + s[0] * factor[1 + k];
            });
        s[0] = s[0] * factor[0];
    }
    template <class V>
    [[gnu::always_inline]] static void merge(V* s, const V* other) {
        absorb(s, other);
    }
    /// Merges all lanes of values.
    template <class L>
    requires(size == 1)
    [[gnu::always_inline]] static void merge_lanes(const L* s, element<L>* state) {
        *state = product_of(*s);
    }
    template <class T>
    static void finish(T*) {}
};

/// The greatest value and the mean of the other terms over the rows that have it: ties share equally. NaN is greatest.
/// The last number of the state counts those rows.
template <std::size_t Terms>
struct greatest {
    static constexpr bool is_greatest = true;
    static constexpr std::size_t terms = Terms, size = Terms + 1;

    template <class V>
    [[gnu::always_inline]] static void begin(V* s) {
        for_each_index<size>([&](std::size_t k) __attribute__((always_inline)) {
            s[k] = k == 0 ? V(-std::numeric_limits<element<V>>::infinity()) : V(0);
        });
    }
    template <class V>
    [[gnu::always_inline]] static void absorb(V* s, const V* term) {
        merge_counted(s, term, V(1));
    }
    template <class V>
    [[gnu::always_inline]] static void merge(V* s, const V* other) {
        merge_counted(s, other, other[Terms]);
    }
    template <class T>
    static void finish(T* s) {
        for (std::size_t k = 1; k < Terms; ++k) s[k] /= s[Terms];
    }

private:
    template <class V>
    [[gnu::always_inline]] static void merge_counted(V* s, const V* other, const V& count) {
        const auto above = (other[0] > s[0]) | ((other[0] != other[0]) & (s[0] == s[0]));
        const auto equal = other[0] == s[0];
        for_each_index<Terms - 1>([&](std::size_t k) __attribute__((always_inline)) {
            s[1 + k] = select(above, other[1 + k], select(equal, s[1 + k] + other[1 + k], s[1 + k]));
        });
        s[Terms] = select(above, count, select(equal, s[Terms] + count, s[Terms]));
        s[0] = select(above, other[0], s[0]);
    }
};

/// The greatest number that is not NaN. log_sum_exp subtracts it from its exponents; a NaN shows in the
/// exponentials.
struct greatest_number {
    static constexpr bool is_greatest = true;
    static constexpr std::size_t terms = 1, size = 1;

    template <class V>
    [[gnu::always_inline]] static void begin(V* s) {
        *s = V(-std::numeric_limits<element<V>>::infinity());
    }
    template <class V>
    [[gnu::always_inline]] static void absorb(V* s, const V* term) {
        *s = select(*term > *s, *term, *s);
    }
    template <class V>
    [[gnu::always_inline]] static void merge(V* s, const V* other) {
        absorb(s, other);
    }
    template <class T>
    static void finish(T*) {}
};

} // namespace chainrule::batches
