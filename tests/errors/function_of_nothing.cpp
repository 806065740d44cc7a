// SPDX-License-Identifier: BSL-1.0
// expect: function: the argument is missing; pass an expression or code, as in function([](auto x) { return x * x; })
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using bad = decltype(cr::function());
#else
constexpr auto F = cr::function([](auto x) { return x * x; });
#endif
