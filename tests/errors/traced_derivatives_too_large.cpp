// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code has more operations than CHAINRULE_MAX_OPERATIONS allows; trace one round of its loop and call that in an ordinary loop, use tape mode, or define it greater and raise -fconstexpr-steps (clang) or -fconstexpr-ops-limit (g++)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr int rounds = 5100;
#else
constexpr int rounds = 50;
#endif

constexpr auto F = cr::function([](auto x, auto y) {
    for (int i = 0; i < rounds; ++i) x = sin(x) * y;
    return x;
});
double slope(double x, double y) { return F.gradient(x, y)[0]; }
