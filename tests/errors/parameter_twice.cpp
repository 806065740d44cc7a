// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a parameter is given two values; give each exactly one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto P = cr::function(k * x, x, cr::given(k = 0.3, k = 0.4));
#else
auto P = cr::function(k * x, x, cr::given(k = 0.3));
#endif
