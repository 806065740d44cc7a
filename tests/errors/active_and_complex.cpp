// SPDX-License-Identifier: BSL-1.0
// expect: active: the expression has a number that the result cannot hold, such as a complex one; keep the real and the imaginary part as two numbers
#include <chainrule/tape.hpp>

#include <complex>

using number = chainrule::tape::active<double>;

number product(const number& a, const std::complex<double>& z) {
#ifdef CHAINRULE_BAD
    return a * z;
#else
    return a * z.real();
#endif
}
