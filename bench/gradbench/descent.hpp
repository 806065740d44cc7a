// SPDX-License-Identifier: BSL-1.0
//
// Descent along gradients as particle and saddle need it, and gradients of functions whose numbers may be active or
// dual themselves, in either mode.
#pragma once

#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>

#include "eval.hpp"

namespace gradbench {

enum class mode { forward, reverse };

/// An eval whose answer is where a descent ends, and whose derivatives are nested: by_modes<outer, inner>(result).
template <class Eval>
inline constexpr bool is_descent =
    requires(const Eval& eval, numbers& result) { eval.template by_modes<mode::forward, mode::forward>(result); };

/// The gradient by the tape or by dual numbers. T may be a number of an outer tape or a dual number.
template <mode Mode, class F, class T, std::size_t N>
std::array<T, N> gradient_by(const F& f, const std::array<T, N>& x) {
    if constexpr (Mode == mode::reverse) {
        return chainrule::tape::gradient(f, x);
    } else {
        std::array<chainrule::dual<T, N>, N> at;
        for (std::size_t i = 0; i < N; ++i) at[i] = chainrule::dual<T, N>::variable(x[i], i);
        return f(at).tangents;
    }
}

/// Where f is least: gradient descent whose rate doubles after ten gains and halves after each failure, until a
/// gradient or a step is shorter than 1e-5. Source: B. Pearlmutter, J. Siskind, "Using Programming Language Theory to
/// Make Automatic Differentiation Sound and Efficient", 2008, as GradBench states it.
template <class T, std::size_t N, class F, class Gradient>
std::array<T, N> least(const F& f, const Gradient& gradient, std::array<T, N> x) {
    const auto length = [](const auto& v) {
        T squares = 0.0;
        for (const T& c : v) squares += c * c;
        return sqrt(squares);
    };
    using std::sqrt;
    T value = f(x);
    auto slope = gradient(x);
    double rate = 1e-5;
    for (int gains = 0; !(length(slope) <= 1e-5);) {
        if (gains == 10) {
            rate *= 2.0;
            gains = 0;
        }
        auto next = x, way = x;
        for (std::size_t i = 0; i < N; ++i) {
            next[i] = x[i] - rate * slope[i];
            way[i] = next[i] - x[i];
        }
        if (length(way) <= 1e-5) break;
        const T there = f(next);
        if (there < value) {
            x = next;
            value = there;
            slope = gradient(x);
            ++gains;
        } else {
            rate /= 2.0;
            gains = 0;
        }
    }
    return x;
}

} // namespace gradbench
