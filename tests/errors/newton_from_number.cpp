// SPDX-License-Identifier: BSL-1.0
// expect: newton: the start does not fit the unknowns; give a number for one variable, and a std::array of as many numbers for a list of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(cr::vector(x - y, x * y - 1_c), cr::wrt(x, y), 2.0);
#else
auto root = cr::newton(cr::vector(x - y, x * y - 1_c), cr::wrt(x, y), std::array{2.0, 1.0});
#endif
