// SPDX-License-Identifier: BSL-1.0
// expect: set: the new value can have more digits than the type that given(...) bound; convert it, as in F.set(k = 0.5f), or bind a value of its type
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto k = cr::variable<"k">;

float value() {
    auto F = cr::function(k * x, cr::wrt(x), cr::given(k = 0.3f));
#ifdef CHAINRULE_BAD
    F.set(k = 0.1);
#else
    F.set(k = 0.1f);
#endif
    return F(2.0f);
}
