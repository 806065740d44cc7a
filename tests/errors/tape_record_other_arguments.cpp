// SPDX-License-Identifier: BSL-1.0
// A recording of a function of two lists, called with three.
// expect: replay: the arguments are not those of the recorded function; pass a list for each list and a number for each number at which it was recorded
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& weights, const std::vector<double>& x, std::vector<double>& to) {
    auto r = tape::record([](const auto& w, const auto& v) { return w[0] * v[0]; }, weights, x);
#ifdef CHAINRULE_BAD
    return r.gradient(weights, x, to);
#else
    auto [by_weights, by_x] = r.gradient(weights, x);
    to = by_x;
    return by_weights;
#endif
}
