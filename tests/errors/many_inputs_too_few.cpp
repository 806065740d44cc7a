// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many, or a std::array or std::span of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto f = cr::function(dot(joints, joints), joints);

#ifdef CHAINRULE_BAD
auto value = f(1.0, 2.0);
#else
auto value = f.gradient(std::array<double, 60>{});
#endif
