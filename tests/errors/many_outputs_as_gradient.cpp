// SPDX-License-Identifier: BSL-1.0
// expect: gradient: the function has several values; use jacobian(...)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto f = cr::function(joints * dot(joints, joints), joints);
constexpr std::array<double, 60> point{};

#ifdef CHAINRULE_BAD
auto gradient = f.gradient(point);
#else
auto values = f(point);
#endif
