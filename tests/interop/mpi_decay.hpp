// SPDX-License-Identifier: BSL-1.0
//
// The residuals of a decay, whose sums over all ranks are tested, and where.
#pragma once

#include <chainrule/chainrule.hpp>

#include <array>

namespace mpi_decay {

constexpr auto x = chainrule::variable<"x">;
constexpr auto y = chainrule::variable<"y">;
constexpr auto a = chainrule::variable<"a">;
constexpr auto b = chainrule::variable<"b">;
constexpr auto residual = y - a * exp(-b * x);
constexpr std::array point = {1.5, 0.25};

} // namespace mpi_decay
