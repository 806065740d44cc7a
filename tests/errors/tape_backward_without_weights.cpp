// SPDX-License-Identifier: BSL-1.0
// expect: backward(y): several outputs need a weight each; write t.backward(y, weights), or t.backward<2>(y) for the derivatives of two, each by itself
#include <chainrule/tape.hpp>
#include <vector>

namespace tape = chainrule::tape;

double slope(tape::tape& t, const tape::active<double>& x) {
    const std::vector<tape::active<double>> y{x * x, sin(x)};
#ifdef CHAINRULE_BAD
    t.backward(y);
#else
    t.backward(y, std::vector{1.0, 1.0});
#endif
    return x.gradient();
}
