// SPDX-License-Identifier: BSL-1.0
// expect: matrix: the index in A[...] is not a non-negative exact constant; write A[0_c] for the first row
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto row = cr::identity<2>[1];
#else
auto row = cr::identity<2>[1_c];
#endif
