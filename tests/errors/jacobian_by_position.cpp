// SPDX-License-Identifier: BSL-1.0
// expect: jacobian: J[i] is not a row of expressions; write J.row<0>()[x], or J(x = 2.0, y = 5.0)[0][x] for its numbers
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto J = cr::jacobian(sin(dot(joints, joints)) * joints, joints);

#ifdef CHAINRULE_BAD
auto slope = J[0][joints.get<1>()];
#else
auto slope = J.row<0>()[joints.get<1>()];
#endif
