// SPDX-License-Identifier: BSL-1.0
//
// The reverse sweep over a recording: each entry adds partial derivative times the adjoint of its statement's result to
// the adjoint of its operand. Several adjoints can be carried at once, in lanes. tape/recording/forward_sweep.hpp has
// the forward sweep.
#pragma once

#include <chainrule/core/structural_zero.hpp>
#include <chainrule/expression/leaves.hpp>
#include <chainrule/tape/recording/recording.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <type_traits>

// In front of a short loop: it lies in one line of the instruction cache. (In two, sweeps took up to 5 % longer.)
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::code_align)
#define CHAINRULE_LOOP_IN_ONE_LINE [[clang::code_align(64)]]
#endif
#endif
#if !defined(CHAINRULE_LOOP_IN_ONE_LINE)
#define CHAINRULE_LOOP_IN_ONE_LINE
#endif

namespace chainrule::tape {

namespace sweeping {

/// Sets adjoints to zero for a sweep. Up to 2 KiB it stores 16 bytes at a time: memset() of the GNU C library stores 64
/// bytes, often across cache lines, and the sweep waits for it. (Over 116 entries it took 120 to 145 ns instead of
/// 100.)
template <class T>
[[gnu::always_inline]] inline void set_to_zero(T* adjoints, std::size_t count) {
    if constexpr (std::floating_point<T>)
        if (count <= 2048 / sizeof(T)) {
            constexpr std::size_t together = std::max<std::size_t>(16 / sizeof(T), 1);
            const auto store = [&](std::size_t these) __attribute__((always_inline)) {
                std::fill_n(adjoints, these, T{});
                asm("" : "+m"(*adjoints)); // compilers would call memset()
                adjoints += these;
            };
            for (; count >= 4 * together; count -= 4 * together)
                for (int k = 0; k < 4; ++k) store(together);
            for (; count >= together; count -= together) store(together);
            for (; count > 0; --count) store(1);
            return;
        }
    std::fill_n(adjoints, count, T{});
}

/// Adds a contribution. That of active numbers is a statement, which stays out of the loops of a sweep: there g++ 12
/// computes where the address of a thread's variable is kept, which linkers refuse.
template <class T>
requires(!expressions::is_active<T>)
[[gnu::always_inline]] inline void add_product(T& to, const T& partial, const T& adjoint) {
    to = to + partial * adjoint;
}
template <class T>
[[gnu::noinline]] void add_product(T& to, const T& partial, const T& adjoint) {
    to = to + partial * adjoint;
}

/// A structural zero stays zero: an adjoint that is a structural zero contributes nothing, even if the partial
/// derivative is infinite or NaN.
template <class T>
[[gnu::always_inline]] inline void add(T& to, const T& partial, const T& adjoint) {
    if (!core::is_structural_zero(adjoint)) sweeping::add_product(to, partial, adjoint);
}
template <class T, std::size_t Lanes>
[[gnu::always_inline]] inline void add(std::array<T, Lanes>& to, const T& partial,
                                       const std::array<T, Lanes>& adjoint) {
    if (core::keeps_zero(partial)) {
        for (std::size_t k = 0; k < Lanes; ++k) to[k] = to[k] + partial * adjoint[k];
    } else {
        for (std::size_t k = 0; k < Lanes; ++k) sweeping::add(to[k], partial, adjoint[k]);
    }
}

/// Whether an adjoint contributes nothing to others. With several lanes, most adjoints are not zero.
template <class T>
[[gnu::always_inline]] inline bool adds_nothing(const T& adjoint) {
    return core::is_structural_zero(adjoint);
}
template <class T, std::size_t Lanes>
[[gnu::always_inline]] inline bool adds_nothing(const std::array<T, Lanes>&) {
    return false;
}
/// Adds the contribution of an adjoint unless it is a structural zero.
template <class T>
[[gnu::always_inline]] inline void add_some(T& to, const T& partial, const T& adjoint) {
    sweeping::add_product(to, partial, adjoint);
}
template <class T, std::size_t Lanes>
[[gnu::always_inline]] inline void add_some(std::array<T, Lanes>& to, const T& partial,
                                            const std::array<T, Lanes>& adjoint) {
    sweeping::add(to, partial, adjoint);
}

/// The adjoints of a sweep. A plain number that was written last stays in a register: the next statement often begins
/// with it, as in a sum, and would wait until it can be read from memory.
template <class T, class Adjoint>
struct swept_adjoints {
    Adjoint* all;

    [[gnu::always_inline]] const Adjoint& read(std::size_t result) const { return all[result]; }
    [[gnu::always_inline]] void add(std::size_t operand, const T& partial, const Adjoint& adjoint) {
        sweeping::add_some(all[operand], partial, adjoint);
    }
};
template <std::floating_point T>
struct swept_adjoints<T, T> {
    T* all;
    std::size_t last = 0; // no result has this index
    T written{};

    [[gnu::always_inline]] T read(std::size_t result) const {
        if (result == last) return written;
        return all[result];
    }
    [[gnu::always_inline]] void add(std::size_t operand, const T& partial, const T& adjoint) {
        written = all[operand] + partial * adjoint;
        all[operand] = written;
        last = operand;
    }
};

/// Sweeps over the entries [first, last) of a block. `result` is the index of the result after the last of them, and
/// afterwards that of the first of them.
template <class T, bool Prefetches, class Adjoint>
inline void run(const typename recording<T>::block& b, std::size_t first, std::size_t last, Adjoint* adjoints,
                index& result) {
    constexpr index mark = recording<T>::last_operand;
    [[maybe_unused]] constexpr std::ptrdiff_t ahead = 256;
    using held =
        std::conditional_t<std::is_same_v<Adjoint, T>, const Adjoint, const Adjoint&>; // g++ copies arrays in memory
    const index* const operands = b.operands();
    const index* const before = operands - 1; // of each entry the one in front of it
    const T* const partials = b.partials();
    std::size_t r = result;
    std::size_t i = last;
    swept_adjoints<T, Adjoint> swept{adjoints};
    // A statement is preceded by the last entry of another, or by an end mark, where inner loops stop. A statement may
    // have begun in the previous block and then continues there.
    while (i > first) {
        if constexpr (Prefetches) {
            prefetch(partials + i, -ahead);
            prefetch(operands + i, -ahead);
        }
        std::size_t operand = operands[--i]; // in one register with the address that it leads to
        r -= operand >> 31;
        held adjoint = swept.read(r);
        if (sweeping::adds_nothing(adjoint)) {
            while ((before[i] & mark) == 0) --i;
            continue;
        }
        if constexpr (std::floating_point<Adjoint>) {
            // The first entry by itself: clang's code for one loop takes up to a third longer. (In lanes it is one: two
            // copies took 8 % longer.)
            swept.add(operand & ~std::size_t{mark}, partials[i], adjoint);
            CHAINRULE_LOOP_IN_ONE_LINE while (((operand = before[i]) & mark) == 0)
                swept.add(operand, partials[--i], adjoint);
        } else {
            operand &= ~std::size_t{mark};
            for (;;) {
                swept.add(operand, partials[i], adjoint);
                operand = before[i];
                if ((operand & mark) != 0) break;
                --i;
            }
        }
    }
    result = static_cast<index>(r);
}

/// Whether a recording exceeds the caches, so that prefetching entries pays off. Otherwise it costs a tenth.
template <class T>
[[nodiscard]] inline bool exceeds_caches(const recording<T>& from) {
    return from.block_count() > 1 && from.operand_count() * (sizeof(T) + sizeof(index)) > std::size_t{1} << 20;
}

/// Sweeps from one position of a recording back to an earlier one.
template <class T, class Adjoint>
void run(const recording<T>& from, const position& end, const position& begin, Adjoint* adjoints) {
    index result = end.next;
    for (std::size_t b = end.block + 1; b-- > begin.block;) {
        if (b >= from.block_count()) continue;
        const std::size_t last = b == end.block ? end.entry : from.entries(b);
        const std::size_t first = b == begin.block ? begin.entry : 0;
        if (exceeds_caches(from))
            run<T, true>(from[b], first, last, adjoints, result);
        else
            run<T, false>(from[b], first, last, adjoints, result);
    }
}

/// Sweeps over a whole recording. For short recordings, handling arbitrary positions would be noticeable.
template <class T, class Adjoint>
inline void run(const recording<T>& from, Adjoint* adjoints) {
    index result = from.next();
    if (exceeds_caches(from))
        for (std::size_t b = from.block_count(); b-- > 0;) run<T, true>(from[b], 0, from.entries(b), adjoints, result);
    else
        for (std::size_t b = from.block_count(); b-- > 0;) run<T, false>(from[b], 0, from.entries(b), adjoints, result);
}

} // namespace sweeping

} // namespace chainrule::tape

#undef CHAINRULE_LOOP_IN_ONE_LINE
