// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many, or a std::array or std::span of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto f = cr::function<60>([](const auto& joints) {
    auto sum = joints[0];
    for (std::size_t i = 1; i < joints.size(); ++i) sum += sin(joints[i]) * joints[i - 1];
    return sum;
});

#ifdef CHAINRULE_BAD
auto value = f(1.0, 2.0);
#else
auto value = f(std::array<double, 60>{});
#endif
