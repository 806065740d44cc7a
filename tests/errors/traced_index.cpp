// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr std::array<double, 2> table{1.0, 3.0};

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto x) { return table[x] * x; });
#else
constexpr auto F = cr::function([](auto x) { return select(x < 1, table[0], table[1]) * x; });
#endif
