// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] is not a non-negative exact constant; write v[0_c] for the first element
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto first = cr::vector(x, y)[std::integral_constant<unsigned long long, 4294967296>{}]; // 0 as an int
#else
auto first = cr::vector(x, y)[std::integral_constant<unsigned long long, 0>{}];
#endif
