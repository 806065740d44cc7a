// SPDX-License-Identifier: BSL-1.0
// expect: a * b: a dual number is combined with a complex number or text; keep the real and the imaginary part as two dual numbers, and convert text to a number first
#include <chainrule/dual.hpp>

#include <string>

namespace cr = chainrule;

auto product(const cr::dual<double>& a, const std::string& text) {
#ifdef CHAINRULE_BAD
    return a * text;
#else
    return a * std::stod(text);
#endif
}
