// SPDX-License-Identifier: BSL-1.0
// expect: no matching function for call to 'max
// at most 45 lines on g++: the four overloads of std::max
// at most 31 lines on clang: the four overloads of std::max
// at most 4800 bytes on g++: the four overloads of std::max
#include <chainrule/tape.hpp>

#include <algorithm>

auto slopes(const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return chainrule::tape::jacobian([](const auto& x) { return std::array{std::max(x[0], 0.0)}; }, at);
#else
    return chainrule::tape::jacobian([](const auto& x) { return std::array{max(x[0], 0.0)}; }, at);
#endif
}
