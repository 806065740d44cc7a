// SPDX-License-Identifier: BSL-1.0
// expect: function: given(...) occurs twice; bind all parameters in one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto P = cr::function(k * x * y, x, cr::given(k = 0.3), cr::given(y = 2.0));
#else
auto P = cr::function(k * x * y, x, cr::given(k = 0.3, y = 2.0));
#endif
