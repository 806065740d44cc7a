// SPDX-License-Identifier: BSL-1.0
// expect: gradient: the index in [...] is not a variable; write g[x], or g[q[3_c]] of a vector of variables
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto g = cr::gradient(dot(joints, joints), joints);

#ifdef CHAINRULE_BAD
auto slope = g[3];
#else
auto slope = g[joints[3_c]];
#endif
