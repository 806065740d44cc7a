// SPDX-License-Identifier: BSL-1.0
// expect: double d = 2_c, a[0_c]: an exact constant is part of an expression, not a number; write 2.0 or 2_c() for a number, and a[0] for an element of an array or vector of numbers
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<2>([](const auto& q) { return q[0_c] * q[1_c]; }));
#else
using function = decltype(cr::function<2>([](const auto& q) { return q[0] * q[1]; }));
constexpr auto second = 1_c;
static_assert(cr::same(cr::variables<"q", 2>[second], cr::variable<"q[1]">));
#endif
