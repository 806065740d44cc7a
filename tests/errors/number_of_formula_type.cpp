// SPDX-License-Identifier: BSL-1.0
// expect: T x{}: T is the type of a formula, such as that of a * b, and not of a number; state the type of the numbers in the call, as in f<active<double>>(a * b)
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

template <class T>
auto rectified(const T& z) {
    const T zero{};
    return max(z, zero);
}

double product(tape::tape& t) {
    const auto a = t.variable(2.0), b = t.variable(3.0);
#ifdef CHAINRULE_BAD
    return value(rectified(a * b));
#else
    return value(rectified<tape::active<double>>(a * b));
#endif
}
