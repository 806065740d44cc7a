// SPDX-License-Identifier: BSL-1.0
// expect: parallel: the function returns nothing; return the numbers of a part
#include <chainrule/tape/parallel.hpp>

namespace cr = chainrule;
namespace tape = chainrule::tape;

void squares(const tape::active<double>& a, std::vector<tape::active<double>>& to) {
#ifdef CHAINRULE_BAD
    tape::parallel(cr::threads(4), to.size(), [&](std::size_t i, const auto& x) { to[i] = x * x; }, a);
#else
    to = tape::parallel(cr::threads(4), to.size(), [](std::size_t, const auto& x) { return x * x; }, a);
#endif
}
