// SPDX-License-Identifier: BSL-1.0
// expect: A * B: the number of columns of A is not the number of rows or elements of B; check the order of the factors, or transpose one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto image = cr::identity<2> * cr::vector(x, y, x);
#else
auto image = cr::identity<2> * cr::vector(x, y);
#endif
