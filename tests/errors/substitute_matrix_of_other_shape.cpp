// SPDX-License-Identifier: BSL-1.0
// expect: substitute: a vector of variables is not replaced by one expression or number for each; give it a vector of its size, as in substitute(f, q = 2_c * q), and a matrix of its shape for a matrix
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto a = cr::matrix<2>(cr::variables<"a", 6>);

#ifdef CHAINRULE_BAD
auto f = substitute(transpose(a) * a, a = transpose(a));
#else
auto f = substitute(transpose(a) * a, a = a * (transpose(a) * a));
#endif
