// SPDX-License-Identifier: BSL-1.0
// expect: 'chainrule::tracing::number<void>' to 'float'
// at most 35 lines on g++: nine of them are the includes of <cmath> in Boost.Math
#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include <cmath>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto x) { return 2 * std::tgammaf(x); });
#else
constexpr auto F = cr::function([](auto x) { return 2 * tgamma(x); });
#endif

inline double of_gamma() { return F(2.0) + F.gradient(2.0)[0]; }
