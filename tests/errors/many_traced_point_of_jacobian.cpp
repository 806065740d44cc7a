// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many
#include "many_traced.hpp"

#ifdef CHAINRULE_BAD
auto value(const std::array<double, 39>& at) { return F.jacobian(at)[0][0]; }
#else
auto value(const std::array<double, 40>& at) { return F(at); }
#endif
