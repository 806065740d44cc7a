// SPDX-License-Identifier: BSL-1.0
// expect: over: a column is not a range of numbers in memory; bind a std::vector, a std::span, an array, an Eigen vector or column(first, size, stride), named before the call
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/over.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
const std::vector<bool> bits(10);
auto d = cr::over(x = bits);
#else
const std::vector<unsigned char> bits(10);
auto d = cr::over(x = bits);
#endif
