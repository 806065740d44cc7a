// SPDX-License-Identifier: BSL-1.0
// expect: hessian: f is a vector; take the Hessian of each element, as in hessian(f[0_c])
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto h = cr::hessian(cr::vector(x, y));
#else
auto h = cr::hessian(cr::vector(x, y).get<0>());
#endif
