// SPDX-License-Identifier: BSL-1.0
// expect: variables: the count is 0; request at least one variable, as in variables<"q", 12>
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto q = cr::variables<"q", 0>;
#else
auto q = cr::variables<"q", 1>;
#endif
