// SPDX-License-Identifier: BSL-1.0
// expect: dot(v, w), cross(v, w), outer(v, w), norm(v) and squared_norm(v): an argument is not a vector, or there are too few or too many; write s * v for a number s, A * v for a matrix A, and vector(a[0], a[1]) for an array a of numbers
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto product = dot(joints, cr::matrix<6>(sines));
#else
auto product = dot(joints, sines);
#endif
