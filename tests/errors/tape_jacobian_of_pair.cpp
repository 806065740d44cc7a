// SPDX-License-Identifier: BSL-1.0
// expect: tape: the function returns nothing, or neither a number nor a list of numbers; return a number for gradient(f, x), a std::array or a std::vector for jacobian(f, x)
#include <chainrule/tape.hpp>

#include <array>
#include <utility>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
auto polar = [](const auto& p) { return std::pair(p[0] * p[1], sin(p[1])); };
#else
auto polar = [](const auto& p) {
    using number = std::remove_cvref_t<decltype(p[0])>;
    return std::array<number, 2>{p[0] * p[1], sin(p[1])};
};
#endif
auto s = tape::jacobian(polar, std::array{1.0, 2.0});
