// SPDX-License-Identifier: BSL-1.0
// expect: 0 < x < 1: a truth value is compared with a number; write 0 < x && x < 1
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) { return select((0 < x) < 1, x, 1 - x); }));
#else
using function = decltype(cr::function([](auto x) { return select(0 < x && x < 1, x, 1 - x); }));
#endif
