// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code changes a plain number by a traced one, which has no value while the code is traced; let it be traced from the start, as in auto sum = 0.0 * x, or T sum = 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto F = cr::function<3>([](const auto& q) {
#ifdef CHAINRULE_BAD
    double sum = 0;
#else
    auto sum = 0.0 * q[0];
#endif
    for (const auto& v : q) sum += v * v;
    return sum;
});
