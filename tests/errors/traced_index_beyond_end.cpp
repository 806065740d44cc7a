// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function<3>([](const auto& q) { return q[0] * q[3]; });
#else
constexpr auto F = cr::function<3>([](const auto& q) { return q[0] * q[2]; });
#endif

inline double beyond_end() { return F(1.0, 2.0, 3.0) + F.gradient(1.0, 2.0, 3.0)[0]; }
