// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] or v.get<i>() is past the last element; indices start at 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto last = sines.get<60>();
#else
auto last = sines.get<59>();
#endif
