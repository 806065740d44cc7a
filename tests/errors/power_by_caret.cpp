// SPDX-License-Identifier: BSL-1.0
// expect: x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or pow(x, 2_c) of an expression
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;

void written() {
    auto f = x * x;
#ifdef CHAINRULE_BAD
    (void)(f ^ 2);
#else
    (void)pow(f, 2_c);
#endif
}
