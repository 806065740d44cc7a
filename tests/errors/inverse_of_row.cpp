// SPDX-License-Identifier: BSL-1.0
// expect: determinant, adjugate, inverse, solve: the matrix is not square; pass a square one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto inverse_of = inverse(cr::matrix(cr::vector(x, y)));
#else
auto inverse_of = inverse(cr::identity<2>);
#endif
