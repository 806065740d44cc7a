// SPDX-License-Identifier: BSL-1.0
// expect: std::sin(x): a function or variable of plain numbers would lose the derivatives of x; write sin(x), with using std::sin where x may be plain too, or pass its value
#include <chainrule/dual.hpp>

#include <cmath>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto wave(const cr::dual<long double, 2>& x) { return x + std::sin(x); }
#else
auto wave(const cr::dual<long double, 2>& x) { return x + sin(x); }
#endif
