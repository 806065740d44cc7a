// SPDX-License-Identifier: BSL-1.0
// expect: given, set: an argument does not name its parameter; write given(k = 0.3), F.set(k = 0.4)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto bound = cr::given(sines = std::array<double, 60>{});
#else
auto bound = cr::given(joints = std::array<double, 60>{});
#endif
