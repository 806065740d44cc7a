// SPDX-License-Identifier: BSL-1.0
// expect: preaccumulate: the function returns active numbers in expressions or hidden in a class; return numbers, or lists, tuples or structs of them
#include <chainrule/tape.hpp>

#include <optional>

namespace tape = chainrule::tape;

auto root(const tape::active<double>& a) {
    return tape::preaccumulate(
        [](const auto& x) {
#ifdef CHAINRULE_BAD
            return std::optional(x);
#else
            return x;
#endif
        },
        a);
}
