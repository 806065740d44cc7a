// SPDX-License-Identifier: BSL-1.0
// expect: function<n>: the traced code does not take its inputs and then the parameters in given(...); give it one argument for each, an array for a vector of variables, or a pointer if the others are
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto a = cr::variables<"a", 2>;
constexpr auto form = [](const auto& x, const auto& w) { return w[0] * x[0] + w[1] * x[1]; };

#ifdef CHAINRULE_BAD
auto F = cr::function<2>(form, cr::given(a = std::array{0.5, 2.0}, cr::variable<"k"> = 1.0));
#else
double value = cr::function<2>(form, cr::given(a = std::array{0.5, 2.0}))(1.0, 2.0);
#endif
