// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] or v.get<i>() is past the last element; indices start at 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto second = cr::vector(x, y)[2_c];
#else
auto second = cr::vector(x, y)[1_c];
#endif
