// SPDX-License-Identifier: BSL-1.0
//
// Loops over constant indices and over arguments.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::core {

/// step(0), step(1), ... step(Count - 1). Up to `Unrolled` steps the index is a constant, so that compilers know the
/// bounds of the loops within, unroll them, and keep arrays in registers.
template <std::size_t Count, std::size_t Unrolled, class Step>
[[gnu::always_inline]] constexpr void for_each_index(const Step& step) {
    if constexpr (Count <= Unrolled)
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            [[maybe_unused]] const int done[] = {0, (step(std::integral_constant<std::size_t, I>{}), 0)...};
        }(std::make_index_sequence<Count>{});
    else
        for (std::size_t i = 0; i < Count; ++i) step(i);
}

/// step(a), step(b), ... for any number of arguments. (clang refuses a fold expression over more than 256.)
template <class Step, class... Argument>
[[gnu::always_inline]] constexpr void for_each_argument(const Step& step, Argument&... arguments) {
    [[maybe_unused]] const int done[] = {0, (static_cast<void>(step(arguments)), 0)...};
}

} // namespace chainrule::core
