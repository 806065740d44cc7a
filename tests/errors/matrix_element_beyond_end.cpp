// SPDX-License-Identifier: BSL-1.0
// expect: matrix: an index in A(i, j) is past the last row or column; indices start at 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto element = cr::identity<2>(1_c, 2_c);
#else
auto element = cr::identity<2>(1_c, 1_c);
#endif
