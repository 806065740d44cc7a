// SPDX-License-Identifier: BSL-1.0
// expect: function: an argument is a value instead of a variable; bind parameters with given(k = 0.3)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto P = cr::function(k * x, x, k = 0.3);
#else
auto P = cr::function(k * x, x, cr::given(k = 0.3));
#endif
