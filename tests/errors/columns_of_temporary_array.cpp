// SPDX-License-Identifier: BSL-1.0
// expect: columns: x = v is given a temporary range, whose numbers will be gone; keep it in a variable
#include <chainrule/batch.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::array<double, 2> xs{1, 2};

#ifdef CHAINRULE_BAD
auto in = cr::columns(x = std::array<double, 2>{1, 2});
#else
auto in = cr::columns(x = xs);
#endif
