// SPDX-License-Identifier: BSL-1.0
// expect: special function: its values, or those of its derivatives, as digamma of lgamma, require another header; include <chainrule/special_functions.hpp>
// at most 36 lines on clang: clang prints three lines for each function on the way
// at most 5120 bytes on clang: the types of the call are long
#include <chainrule/chainrule.hpp>
#ifndef CHAINRULE_BAD
#include <chainrule/special_functions.hpp>
#endif

constexpr auto x = chainrule::variable<"x">;
double slope(double at) { return chainrule::derivative(lgamma(x), x)(x = at); }
