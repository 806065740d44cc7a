// SPDX-License-Identifier: BSL-1.0
// expect: trace: the matrix is not square; pass a square one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto sum = trace(cr::matrix(cr::vector(x, y)));
#else
auto sum = trace(cr::identity<2>);
#endif
