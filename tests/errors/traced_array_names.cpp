// SPDX-License-Identifier: BSL-1.0
// expect: function<n>: the number of variables in wrt(...) and given(...) is not n; name one per input
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto sum = [](const auto& q) { return q[0] + q[1]; };

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<2>(sum, cr::wrt(x)));
#else
constexpr auto F = cr::function<2>(sum, cr::wrt(x, y));
#endif
