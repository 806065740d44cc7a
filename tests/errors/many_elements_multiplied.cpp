// SPDX-License-Identifier: BSL-1.0
// expect: v * w: the left operand is a vector and the right operand is not a number; write dot(v, w), cross(v, w) or outer(v, w) for vectors, and transpose(A) * v for v * A
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto product = sines * joints;
#else
auto product = dot(sines, joints);
#endif
