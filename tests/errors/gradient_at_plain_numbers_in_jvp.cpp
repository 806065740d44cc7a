// SPDX-License-Identifier: BSL-1.0
// expect: active: numbers of two derivatives meet, and neither derivative contains the other; start the inner derivative at numbers of the outer type T, as at std::vector{T(2.0)}
// at most 4608 bytes on g++: the types of the calls are long
#include <chainrule/tape.hpp>

#include <type_traits>
#include <vector>

namespace tape = chainrule::tape;

constexpr auto f = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
#ifdef CHAINRULE_BAD
    const std::vector at{2.0};
#else
    const std::vector at{T(2.0)};
#endif
    return T(x[0] * tape::gradient([&](const auto& y) { return x[0] * y[0] * y[0]; }, at)[0]);
};
auto derivatives = tape::jvp(f, std::vector{3.0}, std::vector{1.0});
