// SPDX-License-Identifier: BSL-1.0
// expect: operator: an operand is an object whose operators take numbers of one type; convert the other operand to it, as in T(1.0 / r) * v or T(2.0) * v
#include <chainrule/tape.hpp>

#include <complex>

using number = chainrule::tape::active<double>;

#ifdef CHAINRULE_BAD
std::complex<number> twice(const std::complex<number>& z) { return 2.0 * z; }
#else
std::complex<number> twice(const std::complex<number>& z) { return number(2.0) * z; }
#endif
