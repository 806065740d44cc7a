// SPDX-License-Identifier: BSL-1.0
// expect: select: the arms differ in shape; use two expressions, two vectors of equal size, or two matrices of equal shape
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto q = cr::variables<"q", 60>;
constexpr auto length = squared_norm(q) * x;
constexpr std::array<double, 60> numbers{};

#ifdef CHAINRULE_BAD
auto r = select(x > 0, q, 0_c);
#else
auto r = select(x > 0, q, 0_c * q);
#endif
