// SPDX-License-Identifier: BSL-1.0
// expect: dot(v, w), cross(v, w), outer(v, w), norm(v) and squared_norm(v): an argument is not a vector, or there are too few or too many; write s * v for a number s, A * v for a matrix A, and vector(a[0], a[1]) for an array a of numbers
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto v = cr::vector(x, x* y);
constexpr cr::fixed_vector<double, 2> w{1.0, 2.0};

#ifdef CHAINRULE_BAD
auto product = dot(v, w);
#else
auto product = dot(v, cr::vector(w[0], w[1]));
#endif
