// SPDX-License-Identifier: BSL-1.0
//
// Which numbers carry derivatives at run time: dual, active, eager and replayable ones.
#pragma once

#include <chainrule/dual/dual.hpp>
#include <chainrule/tape/recording/active.hpp>

#include <cstddef>

namespace chainrule::tape {

template <class T>
class eager; // tape/eager.hpp, which need not be included
template <class T>
class replayable; // tape/replay.hpp, likewise

template <class Number>
inline constexpr bool carries_derivatives = false;
template <class T, std::size_t N>
inline constexpr bool carries_derivatives<dual<T, N>> = true;
template <class T>
inline constexpr bool carries_derivatives<active<T>> = true;
template <class T>
inline constexpr bool carries_derivatives<eager<T>> = true;
template <class T>
inline constexpr bool carries_derivatives<replayable<T>> = true;

} // namespace chainrule::tape
