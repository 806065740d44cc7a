// SPDX-License-Identifier: BSL-1.0
// expect: std::sin(x): a function or variable of plain numbers would lose the derivatives of x; write sin(x), with using std::sin where x may be plain too, or pass its value
#include <chainrule/tape.hpp>

#include <cmath>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
cr::tape::active<double> cube(cr::tape::active<double> x) { return std::pow(x, 3); }
#else
cr::tape::active<double> cube(cr::tape::active<double> x) { return pow(x, 3); }
#endif
