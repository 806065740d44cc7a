// SPDX-License-Identifier: BSL-1.0
//
// Functions of eager numbers: sin(x) and chainrule::sin(x).
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>

#include "../../calls_of_functions.hpp"

namespace {

[[maybe_unused]] constexpr auto of_doubles = &calls_of_functions<cr::tape::eager<double>>;
[[maybe_unused]] constexpr auto of_floats = &calls_of_functions<cr::tape::eager<float>>;
[[maybe_unused]] constexpr auto with_std = &calls_in_both_namespaces<cr::tape::eager<double>>;

} // namespace
