// SPDX-License-Identifier: BSL-1.0
// expect: function: a pointer does not determine how many numbers it points to; pass their count too, as in std::span(p, 2)
#include <chainrule/chainrule.hpp>

#include <span>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
double value_at(const double* p) { return F(p); }
#else
double value_at(const double* p) { return F(std::span(p, 2)); }
#endif
