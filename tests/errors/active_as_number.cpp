// SPDX-License-Identifier: BSL-1.0
// expect: double d = a * b: a plain number would lose the derivatives of active numbers; write active<double> d = a * b, T(a * b) on both sides of ?:, or value(a * b) for a number without derivatives
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
double product(cr::tape::active<double> a, cr::tape::active<double> b) { return a * b; }
#else
double product(cr::tape::active<double> a, cr::tape::active<double> b) { return value(a * b); }
#endif
