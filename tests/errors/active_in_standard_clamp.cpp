// SPDX-License-Identifier: BSL-1.0
// expect: no matching function for call to 'clamp
#include <chainrule/tape.hpp>

#include <algorithm>

auto slopes() {
#ifdef CHAINRULE_BAD
    return chainrule::tape::gradient([](auto x, auto y) { return std::clamp(x * y, 0.0, 1.0); }, 1.0, 2.0);
#else
    return chainrule::tape::gradient([](auto x, auto y) { return clamp(x * y, 0.0, 1.0); }, 1.0, 2.0);
#endif
}
