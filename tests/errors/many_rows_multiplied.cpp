// SPDX-License-Identifier: BSL-1.0
// expect: A * B: the number of columns of A is not the number of rows or elements of B; check the order of the factors, or transpose one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto rows = cr::matrix<6>(joints * dot(joints, joints));

#ifdef CHAINRULE_BAD
auto product = rows * rows;
#else
auto product = rows * transpose(rows);
#endif
