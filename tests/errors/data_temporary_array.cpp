// SPDX-License-Identifier: BSL-1.0
// expect: over: a column is a temporary, whose numbers are gone when the sum is computed; give it a name before the call
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/over.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::array<double, 2> xs{1, 2}; // no larger than a std::span

#ifdef CHAINRULE_BAD
auto d = cr::over(x = std::array<double, 2>{1, 2});
#else
auto d = cr::over(x = xs);
#endif
