// SPDX-License-Identifier: BSL-1.0
// expect: static_cast<int>(x), double(x): a plain number would lose the derivatives of x; keep the type of x, or convert plain_value(x)
#include <chainrule/tape.hpp>

namespace cr = chainrule;

double looked_up(const std::vector<double>& table, const cr::tape::active<double>& x) {
#ifdef CHAINRULE_BAD
    return table[static_cast<std::size_t>(x)];
#else
    return table[static_cast<std::size_t>(cr::plain_value(x))];
#endif
}
