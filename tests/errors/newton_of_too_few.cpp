// SPDX-License-Identifier: BSL-1.0
// expect: newton: the number of equations is not the number of unknowns; pass a vector with one expression per unknown
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(x - y, cr::wrt(x, y), std::array{2.0, 1.0});
#else
auto root = cr::newton(cr::vector(x - y, x* y - 1_c), cr::wrt(x, y), std::array{2.0, 1.0});
#endif
