// SPDX-License-Identifier: BSL-1.0
// expect: set: the new value can have more digits than the type that given(...) bound; convert it, as in F.set(k = 0.5f), or bind a value of its type
#include <chainrule/batch.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto w = cr::variable<"w">;
constexpr auto k = cr::variable<"k">;

float value(const float (&xs)[8]) {
    auto total = cr::sum(k * w * x, cr::over(x = xs), cr::wrt(w), cr::given(k = 0.3f));
#ifdef CHAINRULE_BAD
    total.set(k = 0.1);
#else
    total.set(k = 0.1f);
#endif
    return total(2.0f);
}
