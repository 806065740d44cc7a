// SPDX-License-Identifier: BSL-1.0
// expect: _c: the constant is outside the range of double; write it as a product, as in 1e200_c * 1e200_c
#include <chainrule/chainrule.hpp>

using namespace chainrule::literals;

#ifdef CHAINRULE_BAD
auto greatest = 0x1.fffffffffffffffp1023_c; // rounds to 2^1024
#else
auto greatest = 0x1.fffffffffffffp1023_c;
#endif
