// SPDX-License-Identifier: BSL-1.0
// expect: f(...): an argument does not name its variable; write f(x = 2.0, y = 5.0), or use function(f, wrt(x, y)) for values by position
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto q = cr::variables<"q", 60>;
constexpr auto length = squared_norm(q) * x;
constexpr std::array<double, 60> numbers{};

#ifdef CHAINRULE_BAD
auto r = cr::gradient(length)(q = numbers, x);
#else
auto r = cr::gradient(length)(q = numbers, x = 1.0);
#endif
