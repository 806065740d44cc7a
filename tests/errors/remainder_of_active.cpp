// SPDX-License-Identifier: BSL-1.0
// expect: x % y: expressions and numbers with derivatives have no operator %; write x - y * floor(x / y)
#include <chainrule/tape.hpp>

using number = chainrule::tape::active<double>;

number remainder(const number& x, const number& y) {
#ifdef CHAINRULE_BAD
    return x % y;
#else
    return x - y * floor(x / y);
#endif
}
