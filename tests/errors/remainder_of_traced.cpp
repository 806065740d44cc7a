// SPDX-License-Identifier: BSL-1.0
// expect: x % y: expressions and numbers with derivatives have no operator %; write x - y * floor(x / y)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) { return x % 2; }));
#else
using function = decltype(cr::function([](auto x) { return x - 2 * floor(x / 2); }));
#endif
