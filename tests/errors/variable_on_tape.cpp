// SPDX-License-Identifier: BSL-1.0
// expect: active: the expression has variables without a value; give each one, as in f(x = 2.0)
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;
constexpr auto x = chainrule::variable<"x">;

#ifdef CHAINRULE_BAD
tape::active<double> product(const tape::active<double>& a) { return a * x; }
#else
tape::active<double> product(const tape::active<double>& a) { return (a * x)(x = 2.0); }
#endif
