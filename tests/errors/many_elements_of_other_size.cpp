// SPDX-License-Identifier: BSL-1.0
// expect: dot: the vectors have different sizes; use two vectors of equal size
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto product = dot(sines, cr::variables<"weight", 59>);
#else
auto product = dot(sines, cr::variables<"weight", 60>);
#endif
