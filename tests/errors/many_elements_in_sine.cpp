// SPDX-License-Identifier: BSL-1.0
// expect: sin(v), pow(v, n) and others: an argument is a vector or a matrix, but the function takes numbers; apply it to each element, as in vector(sin(v[0_c]), sin(v[1_c]))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto all = sin(sines);
#else
auto one = sin(sines.get<0>());
#endif
