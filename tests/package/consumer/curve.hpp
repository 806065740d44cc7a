// SPDX-License-Identifier: BSL-1.0
//
// One expression, used by two translation units.
#pragma once

#include <chainrule/chainrule.hpp>

inline constexpr auto x = chainrule::variable<"x">;
inline constexpr auto y = chainrule::variable<"y">;
inline constexpr auto curve = log(x) + x * y - sin(y);

double slope(double a, double b);
