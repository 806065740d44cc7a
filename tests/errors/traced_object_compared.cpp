// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code computes with an object that is not a number; use its members, as in x * object.mass, or give its class an operator
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
struct body {
    double mass;
};
constexpr body moon{7.3e22};

#ifdef CHAINRULE_BAD
auto F = cr::function([](auto a, auto b) { return select(a > moon, a, b); });
#else
auto F = cr::function([](auto a, auto b) { return select(a > moon.mass, a, b); });
#endif
