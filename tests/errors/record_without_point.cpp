// SPDX-License-Identifier: BSL-1.0
// expect: record(f, x): the point x is missing; pass numbers at which f is recorded
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

void slope([[maybe_unused]] const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    tape::record(product);
#else
    (void)tape::record(product, at);
#endif
}
