// SPDX-License-Identifier: BSL-1.0
// expect: v < w, v == w: vectors and matrices are not compared; compare elements, as in v[0_c] < w[0_c]
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
bool less = sines < sines;
#else
constexpr auto less = sines.get<0>() < sines.get<1>();
#endif
