// SPDX-License-Identifier: BSL-1.0
//
// Functions of numbers on a tape with the header of the tape alone: sin(x) and chainrule::sin(x).
#include <chainrule/tape.hpp>

#include "../../calls_of_functions.hpp"

namespace {

[[maybe_unused]] constexpr auto of_doubles = &calls_of_functions<cr::tape::active<double>>;
[[maybe_unused]] constexpr auto of_floats = &calls_of_functions<cr::tape::active<float>>;
[[maybe_unused]] constexpr auto with_std = &calls_in_both_namespaces<cr::tape::active<double>>;

} // namespace
