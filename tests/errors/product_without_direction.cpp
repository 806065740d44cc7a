// SPDX-License-Identifier: BSL-1.0
// expect: jvp: the components of the direction are missing; pass them after the point, both as ranges
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;

constexpr auto F = cr::function([](auto x, auto y) { return log(x) + x * y; });
constexpr std::array point{1.0, 2.0};

#ifdef CHAINRULE_BAD
auto d = F.jvp(point);
#else
auto d = F.jvp(point, std::array{1.0, 0.0});
#endif
