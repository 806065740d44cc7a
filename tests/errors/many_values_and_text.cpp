// SPDX-License-Identifier: BSL-1.0
// expect: f(...): the value of a variable is not a number; pass a number, as in f(x = 2.0)
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto q = cr::variables<"q", 60>;
constexpr auto length = squared_norm(q) * x;
constexpr std::array<double, 60> numbers{};

#ifdef CHAINRULE_BAD
auto r = length(q = numbers, x = "1");
#else
auto r = length(q = numbers, x = 1.0);
#endif
