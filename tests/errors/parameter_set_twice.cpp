// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a parameter is given two values; give each exactly one
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto weights = cr::variables<"w", 2>;

inline double value() {
    auto P = cr::function(weights.get<0>() * x + weights.get<1>(), x, cr::given(weights = std::array{1.0, 2.0}));
#ifdef CHAINRULE_BAD
    P.set(weights = std::array{2.0, 3.0}, weights = std::array{2.0, 3.0});
#else
    P.set(weights = std::array{2.0, 3.0});
#endif
    return P(1.0);
}
const double result = value();
