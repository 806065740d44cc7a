// SPDX-License-Identifier: BSL-1.0
// expect: function: an argument is neither a number nor a range of numbers with begin() and end(); pass numbers, or a std::array, std::span or std::vector of them
#include <chainrule/chainrule.hpp>

#include <valarray>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));
std::valarray<double> column = {2.0, 7.0, 5.0, 7.0};

#ifdef CHAINRULE_BAD
double value = F(column[std::slice(0, 2, 2)]);
#else
double value = F(std::valarray<double>(column[std::slice(0, 2, 2)]));
#endif
