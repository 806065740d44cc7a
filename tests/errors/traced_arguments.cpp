// SPDX-License-Identifier: BSL-1.0
// expect: function: the number of arguments of the traced code is not the number of variables in wrt(...) and parameters in given(...); name one for each argument, in order
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto a, auto b) { return a * b; }, cr::wrt(x)));
#else
constexpr auto F = cr::function([](auto a, auto b) { return a * b; }, cr::wrt(x), cr::given(y = 3.0));
#endif
