// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code branches on a number, which has no value while the code is traced; choose with select(x > 0, a, b), or use tape mode, which records the branch that is taken
#include <chainrule/chainrule.hpp>

#include <algorithm>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto F = cr::function<2>([](const auto& q) { return 2 * *std::max_element(q.begin(), q.end()); });
#else
auto F = cr::function<2>([](const auto& q) { return 2 * max(q[0], q[1]); });
#endif
