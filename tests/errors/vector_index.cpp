// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] is not a non-negative exact constant; write v[0_c] for the first element
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto second = cr::vector(x, y)[1];
#else
auto second = cr::vector(x, y)[1_c];
#endif
