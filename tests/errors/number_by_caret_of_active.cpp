// SPDX-License-Identifier: BSL-1.0
// expect: x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or pow(x, 2_c) of an expression
#include <chainrule/tape.hpp>

using number = chainrule::tape::active<double>;

number power(const number& x, const number& y) {
#ifdef CHAINRULE_BAD
    return 2 ^ (x * y);
#else
    return pow(2.0, x * y);
#endif
}
