// SPDX-License-Identifier: BSL-1.0
// expect: function: a variable is both in wrt(...) and in given(...); keep it in wrt if it is an argument, in given if it is a parameter
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto f = cr::function(sines, joints, cr::given(joints.get<0>() = 1.0));
#else
auto f = cr::function(sines, joints);
#endif
