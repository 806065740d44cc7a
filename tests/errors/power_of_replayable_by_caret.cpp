// SPDX-License-Identifier: BSL-1.0
// expect: x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or pow(x, 2_c) of an expression
#include <chainrule/tape/replay.hpp>

using number = chainrule::tape::replayable<double>;

number square(const number& x) {
#ifdef CHAINRULE_BAD
    return x ^ 2;
#else
    return pow(x, 2);
#endif
}
