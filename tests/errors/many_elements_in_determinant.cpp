// SPDX-License-Identifier: BSL-1.0
// expect: determinant(A), inverse(A), solve(A, v) and others: the first argument is not a matrix, or arguments are missing or too many; pass the matrix first, such as matrix(v, w)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto area = determinant(sines);
#else
auto area =
    determinant(cr::matrix(cr::vector(sines.get<0>(), sines.get<1>()), cr::vector(sines.get<2>(), sines.get<3>())));
#endif
