// SPDX-License-Identifier: BSL-1.0
// expect: record: the numbers of the point carry derivatives; record at plain floating-point numbers
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

double value_at(const std::vector<tape::active<double>>& x) {
#ifdef CHAINRULE_BAD
    auto r = tape::record([](const auto& v) { return v[0]; }, x);
#else
    auto r = tape::record([](const auto& v) { return v[0]; }, std::vector{x[0].value()});
#endif
    return r(std::vector{1.0});
}
