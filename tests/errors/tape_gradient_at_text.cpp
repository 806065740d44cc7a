// SPDX-License-Identifier: BSL-1.0
// expect: gradient(f, x): the point x is neither a number nor a list of numbers; pass numbers, a std::vector or a std::array of them, or a struct that is a template of its type of numbers; convert text with std::stod
#include <chainrule/tape.hpp>

#include <string>

namespace cr = chainrule;

auto slope(const std::string& text) {
#ifdef CHAINRULE_BAD
    return cr::tape::gradient([](const auto& x) { return x * x; }, text);
#else
    return cr::tape::gradient([](const auto& x) { return x * x; }, std::stod(text));
#endif
}
