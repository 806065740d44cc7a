// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a vector of parameters is not given a range of numbers; give it one number for each, as in given(a = std::array{0.5, 2.0})
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;

#ifdef CHAINRULE_BAD
auto bound = cr::given(joints = "text");
#else
auto bound = cr::given(joints = std::array<double, 60>{});
#endif
