// SPDX-License-Identifier: BSL-1.0
// expect: operator: a std::complex of numbers on a tape takes no plain number; include chainrule/interop/complex.hpp, which has operators for both
#include <chainrule/tape.hpp>

#include <complex>

using number = chainrule::tape::active<double>;

#ifdef CHAINRULE_BAD
std::complex<number> twice(const std::complex<number>& z) { return 2.0 * z; }
#else
std::complex<number> twice(const std::complex<number>& z) { return number(2.0) * z; }
#endif
