// SPDX-License-Identifier: BSL-1.0
// expect: record(f, x): the point x is neither a number nor a list of numbers; pass numbers, a std::vector or a std::array of them, or a struct that is a template of its type of numbers; convert text with std::stod
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <string>
#include <vector>

namespace tape = chainrule::tape;

void recording(const std::vector<std::string>& texts) {
    const auto f = [](const auto& x) { return x[0] * x[0]; };
#ifdef CHAINRULE_BAD
    auto r = tape::record(f, texts);
#else
    auto r = tape::record(f, std::vector{std::stod(texts[0])});
#endif
    static_cast<void>(r);
}
