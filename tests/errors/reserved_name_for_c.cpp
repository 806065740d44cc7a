// SPDX-License-Identifier: BSL-1.0
// expect: to_c: the name is a keyword of C, a name of <math.h>, or one that the code uses itself; use another, as in to_c<"gradient_of_f">(F)
#include <chainrule/chainrule.hpp>
#include <chainrule/print/c.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
constexpr auto size = cr::to_c<"sin">(cr::function(sin(x), cr::wrt(x))).size();
#else
constexpr auto size = cr::to_c<"sine">(cr::function(sin(x), cr::wrt(x))).size();
#endif
