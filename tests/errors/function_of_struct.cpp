// SPDX-License-Identifier: BSL-1.0
// expect: sin(x), pow(x, y) and other functions: an argument is neither a number nor an expression, or the number of arguments is wrong; pass numbers and expressions, such as F(x) of F = function(...), and numbers of one class only, as many as the function takes
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
struct measurement {
    double number;
};

#ifdef CHAINRULE_BAD
auto value = cr::pow(measurement{2.0}, 3);
#else
auto value = cr::pow(measurement{2.0}.number, 3);
#endif
