// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a vector of parameters is given more or fewer numbers than it has; give it one for each
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;

#ifdef CHAINRULE_BAD
auto bound = cr::given(joints = {1.0, 2.0});
#else
auto bound = cr::given(joints = std::array<double, 60>{});
#endif
