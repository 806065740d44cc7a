// SPDX-License-Identifier: BSL-1.0
// expect: v + w, v - w: the operands are not both vectors or both matrices; use two vectors or two matrices
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto moved = sines + 1.0;
#else
auto moved = sines + sines;
#endif
