// SPDX-License-Identifier: BSL-1.0
//
// Which numbers carry derivatives at run time, for adapters to other libraries: dual, active, eager and replayable
// ones.
#pragma once

#include <chainrule/dual/dual.hpp>
#include <chainrule/tape/recording/active.hpp>

#include <cstddef>

namespace chainrule {

namespace tape {
template <class T>
class eager; // tape/eager.hpp, which need not be included
template <class T>
class replayable; // tape/replay.hpp, likewise
} // namespace tape

namespace interop {

template <class Number>
inline constexpr bool has_derivatives = false;
template <class T, std::size_t N>
inline constexpr bool has_derivatives<dual<T, N>> = true;
template <class T>
inline constexpr bool has_derivatives<tape::active<T>> = true;
template <class T>
inline constexpr bool has_derivatives<tape::eager<T>> = true;
template <class T>
inline constexpr bool has_derivatives<tape::replayable<T>> = true;

} // namespace interop

} // namespace chainrule
