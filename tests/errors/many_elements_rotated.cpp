// SPDX-License-Identifier: BSL-1.0
// expect: rotation: a vector does not have 3 elements; pass vectors of 3 elements (a quaternion has 4: w, x, y, z)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto rotated = rotate(sines, cr::variables<"axis", 3>);
#else
auto rotated = rotate(cr::vector(sines.get<0>(), sines.get<1>(), sines.get<2>()), cr::variables<"axis", 3>);
#endif
