// SPDX-License-Identifier: BSL-1.0
// expect: expand: a sum becomes longer than 1000 terms; expand a smaller part, or leave it as a product
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
constexpr auto q = cr::variables<"q", 15>;
auto sum = expand(pow(dot(q, q) + x + y, 4_c));
#else
auto sum = expand(pow(x + y + 1_c, 3_c));
#endif
