// SPDX-License-Identifier: BSL-1.0
// expect: given, set: an argument does not name its parameter; write given(k = 0.3), F.set(k = 0.4)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function(k * x * y, cr::wrt(x, y), cr::given(0.3));
#else
constexpr auto F = cr::function(k * x * y, cr::wrt(x, y), cr::given(k = 0.3));
#endif
