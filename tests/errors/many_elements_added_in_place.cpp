// SPDX-License-Identifier: BSL-1.0
// expect: f += g: f + g does not have the type of f; write auto h = f + g
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
void add() {
    auto sum = sines;
    sum += sines;
}
#else
auto sum = sines + sines;
#endif
