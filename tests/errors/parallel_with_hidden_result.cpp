// SPDX-License-Identifier: BSL-1.0
// expect: parallel: an argument or the function's result hides numbers in a class; use numbers, and lists, tuples or structs of them, and capture data
#include <chainrule/tape/parallel.hpp>

#include <optional>

namespace cr = chainrule;
namespace tape = chainrule::tape;

auto squares(const tape::active<double>& a) {
    return tape::parallel(
        cr::threads(4), 100,
        [](std::size_t, const auto& x) {
#ifdef CHAINRULE_BAD
            return std::optional<tape::active<double>>(x * x);
#else
            return x * x;
#endif
        },
        a);
}
