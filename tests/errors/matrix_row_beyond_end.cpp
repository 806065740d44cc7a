// SPDX-License-Identifier: BSL-1.0
// expect: matrix: the index in A[...] or A.get<i>() is past the last row; indices start at 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto row = cr::identity<2>[2_c];
#else
auto row = cr::identity<2>[1_c];
#endif
