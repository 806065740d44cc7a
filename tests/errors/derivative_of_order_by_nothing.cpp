// SPDX-License-Identifier: BSL-1.0
// expect: derivative: no variable is given; name it, as in derivative(f, x)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto v = cr::vector(x, sin(x));

#ifdef CHAINRULE_BAD
auto d = cr::derivative<2>(v);
#else
auto d = cr::derivative<2>(v, x);
#endif
