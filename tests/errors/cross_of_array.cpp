// SPDX-License-Identifier: BSL-1.0
// expect: dot(v, w), cross(v, w), outer(v, w), norm(v) and squared_norm(v): an argument is not a vector, or there are too few or too many; write s * v for a number s, A * v for a matrix A, and vector(a[0], a[1]) for an array a of numbers
#include <chainrule/chainrule.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto v = cr::vector(x, x* y, y);

#ifdef CHAINRULE_BAD
auto product = cross(v, std::array{1.0, 2.0, 3.0});
#else
auto product = cross(v, cr::vector(1.0, 2.0, 3.0));
#endif
