// SPDX-License-Identifier: BSL-1.0
// expect: x % y: expressions and numbers with derivatives have no operator %; write x - y * floor(x / y)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;

void written() {
    auto f = x * x;
#ifdef CHAINRULE_BAD
    (void)(f % 2);
#else
    (void)(f - 2 * floor(f / 2));
#endif
}
