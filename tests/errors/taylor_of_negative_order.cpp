// SPDX-License-Identifier: BSL-1.0
// expect: taylor<n>: the order is negative; pass 0 or more
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto F = cr::function([](auto x, auto y) { return log(x) + x * y; });

#ifdef CHAINRULE_BAD
auto c = F.taylor<-1>(std::array{1.0, 2.0}, std::array{1.0, 0.0});
#else
auto c = F.taylor<1>(std::array{1.0, 2.0}, std::array{1.0, 0.0});
#endif
