// SPDX-License-Identifier: BSL-1.0
// expect: to_c: the name is not a C identifier; use letters, digits and _, as in to_c<"gradient_of_f">(F)
#include <chainrule/chainrule.hpp>
#include <chainrule/print/c.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
constexpr auto size = cr::to_c<"gradient of f">(cr::function(x * x, cr::wrt(x))).size();
#else
constexpr auto size = cr::to_c<"gradient_of_f">(cr::function(x * x, cr::wrt(x))).size();
#endif
