// SPDX-License-Identifier: BSL-1.0
// expect: operator[]
#include <chainrule/tape.hpp>

namespace cr = chainrule;

auto slopes(const std::vector<double>& table, const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return cr::tape::hessian([&](const auto& x) { return x[0] * table[x[1]]; }, at);
#else
    return cr::tape::hessian(
        [&](const auto& x) { return x[0] * table[static_cast<std::size_t>(cr::plain_value(x[1]))]; }, at);
#endif
}
