// SPDX-License-Identifier: BSL-1.0
// expect: determinant, adjugate, inverse, solve: the matrix is larger than 4 x 4; factor it numerically, for instance with chainrule/interop/eigen.hpp
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto inverse_of = inverse(cr::identity<5>);
#else
auto inverse_of = inverse(cr::identity<4>);
#endif
