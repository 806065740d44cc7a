// SPDX-License-Identifier: BSL-1.0
// expect: minimise, constrain: there is not one number of a variable per input of the function; give as many, or the first of consecutive ones
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ipopt_model.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto f = cr::function(x * y * z, cr::wrt(x, y, z));

#ifdef CHAINRULE_BAD
void add(cr::ipopt_model& model) { model.minimise(f, {3, 5}); }
#else
void add(cr::ipopt_model& model) { model.minimise(f, {3, 5, 7}), model.constrain(f, {3, 5, 7}, 0.0, 1.0); }
#endif
