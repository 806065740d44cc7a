// SPDX-License-Identifier: BSL-1.0
// expect: function: given(...) binds parameters, but the other arguments of the traced code have no names; name them, as in function(f, wrt(x, y), given(k = 0.5))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto a, auto b) { return a * b; }, cr::given(y = 3.0)));
#else
constexpr auto F = cr::function([](auto a, auto b) { return a * b; }, cr::wrt(x), cr::given(y = 3.0));
#endif
