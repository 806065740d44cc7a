// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
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
