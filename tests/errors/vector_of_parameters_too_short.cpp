// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a vector of parameters is given more or fewer numbers than it has; give it one for each
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto a = cr::variables<"a", 2>;
constexpr auto f = a.get<0>() * x + a.get<1>();

#ifdef CHAINRULE_BAD
auto F = cr::function(f, cr::wrt(x), cr::given(a = std::array{0.5, 2.0, 1.0}));
#else
auto F = cr::function(f, cr::wrt(x), cr::given(a = std::array{0.5, 2.0}));
#endif
