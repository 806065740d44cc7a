// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many, or a std::array or std::span of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto weights = cr::variables<"weight", 60>;
constexpr auto f =
    cr::function(exp(x * dot(weights, weights)), cr::wrt(x), cr::given(weights = std::array<double, 60>{}));

#ifdef CHAINRULE_BAD
auto gradient = f.gradient(1.0, 2.0);
#else
auto gradient = f.gradient(1.0);
#endif
