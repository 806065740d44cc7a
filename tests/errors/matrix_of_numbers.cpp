// SPDX-License-Identifier: BSL-1.0
// expect: matrix: an argument is not a vector; pass the rows, as in matrix(vector(a, b), vector(c, d))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto A = cr::matrix(x, y);
#else
auto A = cr::matrix(cr::vector(x, y), cr::vector(y, x));
#endif
