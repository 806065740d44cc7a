// SPDX-License-Identifier: BSL-1.0
// expect: substitute: a vector of variables is not replaced by one expression or number for each; give it a vector of its size, as in substitute(f, q = 2_c * q), and a matrix of its shape for a matrix
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto f = dot(joints, joints);

#ifdef CHAINRULE_BAD
auto g = substitute(f, joints = cr::variables<"q", 61>);
#else
auto g = substitute(f, joints = cr::variables<"q", 60>);
#endif
