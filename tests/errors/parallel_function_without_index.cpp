// SPDX-License-Identifier: BSL-1.0
// expect: parallel: the function does not take the index of a part and the arguments; write [&](std::size_t i, const auto& x) { ...; return y; }
#include <chainrule/tape/parallel.hpp>

namespace cr = chainrule;
namespace tape = chainrule::tape;

auto squares(const tape::active<double>& a) {
#ifdef CHAINRULE_BAD
    return tape::parallel(cr::threads(4), 100, [](const auto& x) { return x * x; }, a);
#else
    return tape::parallel(cr::threads(4), 100, [](std::size_t, const auto& x) { return x * x; }, a);
#endif
}
