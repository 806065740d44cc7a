// SPDX-License-Identifier: BSL-1.0
// expect: f(...): an argument does not name its variable; write f(x = 2.0, y = 5.0), or use function(f, wrt(x, y)) for values by position
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto value = dot(joints, joints)(sines = std::array<double, 60>{});
#else
auto value = dot(joints, joints)(joints = std::array<double, 60>{});
#endif
