// SPDX-License-Identifier: BSL-1.0
// expect: F.gradient(...), F.jvp(...) and others: an argument is an expression or a vector of them; pass numbers, or write gradient(F(x, y)) for derivatives as expressions
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto F = cr::function(dot(joints, joints), cr::wrt(joints));

#ifdef CHAINRULE_BAD
auto g = F.gradient(joints);
#else
auto g = cr::gradient(F(joints));
#endif
