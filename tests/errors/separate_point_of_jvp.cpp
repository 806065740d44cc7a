// SPDX-License-Identifier: BSL-1.0
// expect: jvp, hvp, vjp: the point is one list, in front of the direction or the weights; write F.jvp(std::array{1.0, 2.0}, direction)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto F = cr::function([](auto x, auto y) { return x * y; });
#ifdef CHAINRULE_BAD
double slope = F.jvp(1.0, 2.0, std::array{1.0, 0.0});
#else
double slope = F.jvp(std::array{1.0, 2.0}, std::array{1.0, 0.0});
#endif
