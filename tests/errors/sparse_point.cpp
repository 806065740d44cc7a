// SPDX-License-Identifier: BSL-1.0
// expect: sparse_jacobian(f, x): the point x is not one list of numbers; pass a std::vector of them
#include <chainrule/tape/sparse.hpp>

#include <vector>

namespace tape = chainrule::tape;

auto slopes() {
    const auto f = [](const auto& x) { return x; };
#ifdef CHAINRULE_BAD
    return tape::sparse_jacobian(f, 2.0);
#else
    return tape::sparse_jacobian(f, std::vector{2.0});
#endif
}
