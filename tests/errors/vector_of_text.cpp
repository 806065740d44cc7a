// SPDX-License-Identifier: BSL-1.0
// expect: vector: an element is neither an expression nor a number; name elements of other vectors one by one, as in vector(v[0_c], x), and pass the rows of a matrix to matrix(...)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
constexpr auto v = cr::vector("a", x);
#else
constexpr auto v = cr::vector(2.0, x);
#endif
