// SPDX-License-Identifier: BSL-1.0
// expect: sin(v), pow(v, n) and others: an argument is a vector or a matrix, but the function takes numbers; apply it to each element, as in vector(sin(v[0_c]), sin(v[1_c]))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto v = cr::vector(x, y);

#ifdef CHAINRULE_BAD
auto w = sqrt(v);
auto p = pow(cr::matrix(v, v), 2_c);
#else
auto w = cr::vector(sqrt(v[0_c]), sqrt(v[1_c]));
auto p = pow(x, 2_c);
#endif
