// SPDX-License-Identifier: BSL-1.0
// expect: substitute: a vector of variables is not replaced by one expression or number for each; give it a vector of its size, as in substitute(f, q = 2_c * q), and a matrix of its shape for a matrix
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto q = cr::variables<"q", 2>;

#ifdef CHAINRULE_BAD
auto f = substitute(dot(q, q), q = x);
#else
auto f = substitute(dot(q, q), q = cr::vector(x, x));
#endif
