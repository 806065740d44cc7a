// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a parameter is given an expression; give it a number, or write function(substitute(f, k = g), wrt(x))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto joints = cr::variables<"joint", 60>;

#ifdef CHAINRULE_BAD
auto F = cr::function(x * dot(joints, joints), cr::wrt(x), cr::given(joints = x * joints));
#else
auto F = cr::function(substitute(dot(joints, joints), joints = x * joints), cr::wrt(x, joints));
#endif
