// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code branches on a
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x, auto y) {
    if (x == y) return x;
    return (x * x - y * y) / (x - y);
}));
#else
constexpr auto F = cr::function([](auto x, auto y) { return select(x == y, x, (x * x - y * y) / (x - y)); });
#endif
