// SPDX-License-Identifier: BSL-1.0
// expect: function: an argument is neither a number nor a range of numbers with begin() and end(); pass numbers, or a std::array, std::span or std::vector of them
#include <chainrule/chainrule.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto f = F(std::array{x, x});
#else
auto f = F(cr::vector(x, x));
#endif
