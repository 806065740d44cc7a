// SPDX-License-Identifier: BSL-1.0
// expect: jvp, hvp: the direction does not have one number per variable in wrt(...); pass that many
#include "many_traced.hpp"

#ifdef CHAINRULE_BAD
auto value(const std::array<double, 40>& at, const std::array<double, 60>& d) { return F.jvp(at, d); }
#else
auto value(const std::array<double, 40>& at, const std::array<double, 40>& d) { return F.jvp(at, d); }
#endif
