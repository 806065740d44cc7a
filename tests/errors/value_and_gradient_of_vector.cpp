// SPDX-License-Identifier: BSL-1.0
// expect: value_and_gradient: f is a vector; use jacobian(f, wrt(x, y))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto g = cr::value_and_gradient(cr::vector(x, y));
#else
auto g = cr::jacobian(cr::vector(x, y));
#endif
