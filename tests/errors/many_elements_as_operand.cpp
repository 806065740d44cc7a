// SPDX-License-Identifier: BSL-1.0
// expect: vector: an element is neither an expression nor a number; name elements of other vectors one by one, as in vector(v[0_c], x), and pass the rows of a matrix to matrix(...)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto joined = cr::vector(sines, sines.get<0>());
#else
auto joined = cr::vector(sines.get<1>(), sines.get<0>());
#endif
