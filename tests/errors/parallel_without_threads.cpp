// SPDX-License-Identifier: BSL-1.0
// expect: parallel: the first argument is not one of threads(n), an execution policy and openmp(n), or its header is missing; write parallel(threads(4), count, f, x)
#include <chainrule/tape/parallel.hpp>

namespace cr = chainrule;
namespace tape = chainrule::tape;

auto squares(const tape::active<double>& a) {
    const auto square = [](std::size_t, const auto& x) { return x * x; };
#ifdef CHAINRULE_BAD
    return tape::parallel(4, 100, square, a);
#else
    return tape::parallel(cr::threads(4), 100, square, a);
#endif
}
