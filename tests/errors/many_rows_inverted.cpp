// SPDX-License-Identifier: BSL-1.0
// expect: determinant, adjugate, inverse, solve: the matrix is not square; pass a square one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto rows = cr::matrix<6>(joints * dot(joints, joints));

#ifdef CHAINRULE_BAD
auto inverted = inverse(rows);
#else
auto transposed = transpose(rows);
#endif
