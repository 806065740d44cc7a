// SPDX-License-Identifier: BSL-1.0
//
// The reverse sweep over a recording. Each entry adds partial derivative times the adjoint of its statement's result to
// the adjoint of its operand. Several adjoints can be carried at once, in lanes.
#pragma once

#include <chainrule/core/structural_zero.hpp>
#include <chainrule/tape/recording.hpp>

#include <algorithm>
#include <array>

namespace chainrule::tape {

namespace sweeping {

/// A structural zero stays zero: what an output does not depend on adds nothing, also where the partial derivative is
/// infinite or NaN.
template <class T>
[[gnu::always_inline]] inline void add(T& to, const T& partial, const T& adjoint) {
    if (!chainrule::is_structural_zero(adjoint)) to = to + partial * adjoint;
}
template <class T, std::size_t Lanes>
[[gnu::always_inline]] inline void add(std::array<T, Lanes>& to, const T& partial, const std::array<T, Lanes>& adjoint) {
    if (chainrule::keeps_zero(partial)) {
        for (std::size_t k = 0; k < Lanes; ++k) to[k] = to[k] + partial * adjoint[k];
    } else {
        for (std::size_t k = 0; k < Lanes; ++k) sweeping::add(to[k], partial, adjoint[k]);
    }
}

/// Sweeps over the entries [first, last) of a block. `result` is the number of the result after the last of them, and of
/// the first of them afterwards.
template <class T, class Adjoint>
inline void run(const typename recording<T>::block& b, std::size_t first, std::size_t last, Adjoint* adjoints, index& result) {
    constexpr index mask = recording<T>::last_operand - 1;
    index r = result;
    for (std::size_t i = last; i-- > first;) {
        const index operand = b.operands[i];
        // No branch on where statements end: their lengths are hard to predict.
        r -= operand >> 31;
        sweeping::add(adjoints[operand & mask], b.partials[i], adjoints[r]);
    }
    result = r;
}

/// Sweeps from one position of a recording back to an earlier one.
template <class T, class Adjoint>
void run(const recording<T>& from, const position& end, const position& begin, Adjoint* adjoints) {
    index result = end.next;
    for (std::size_t b = end.block + 1; b-- > begin.block;) {
        if (b >= from.block_count()) continue;
        const std::size_t last = b == end.block ? end.entry : from.entries(b);
        const std::size_t first = b == begin.block ? begin.entry : 0;
        run<T>(from[b], first, last, adjoints, result);
    }
}

/// Sweeps over a whole recording. Short ones would notice the positions that have to be looked at otherwise.
template <class T, class Adjoint>
inline void run(const recording<T>& from, Adjoint* adjoints) {
    index result = from.next();
    for (std::size_t b = from.block_count(); b-- > 0;) run<T>(from[b], 0, from.entries(b), adjoints, result);
}

} // namespace sweeping

} // namespace chainrule::tape
