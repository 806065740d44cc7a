// SPDX-License-Identifier: BSL-1.0
// expect: static_cast<int>(x), double(x): a plain number would lose the derivatives of x; keep the type of x, or convert plain_value(x)
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace cr = chainrule;

auto recorded(const std::vector<double>& at) {
    const auto element = [](const auto& x) {
#ifdef CHAINRULE_BAD
        return x[static_cast<std::size_t>(x[0])];
#else
        return x[static_cast<std::size_t>(cr::plain_value(x[0]))];
#endif
    };
    return cr::tape::record(element, at);
}
