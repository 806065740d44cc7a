// SPDX-License-Identifier: BSL-1.0
//
// Compares computed numbers with the table of reference values that generate.py makes. Errors are counted in units in
// the last place. Rounding the argument 3 x + 1 alone may cost as many as the condition number says, so that many are
// allowed, and four more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace oracle {

/// The error of a double in units in the last place of the right value.
inline double units(double found, long double right) {
    if (static_cast<long double>(found) == right) return 0;
    if (!std::isfinite(found)) return std::numeric_limits<double>::infinity();
    int exponent = 0;
    (void)std::frexp(static_cast<double>(right), &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
    return static_cast<double>(std::abs(static_cast<long double>(found) - right) / unit);
}

/// A line of a table: names, then numbers. More than 64 bits of them do not matter to units of doubles.
struct line {
    std::vector<std::string> names;
    std::vector<long double> numbers;
};

inline std::vector<line> read(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("oracle: cannot open " + path + "; make it with tests/oracle/generate.py");
    std::vector<line> lines;
    for (std::string text; std::getline(in, text);) {
        std::istringstream words(text);
        line next;
        for (std::string word; words >> word;) {
            char* end = nullptr;
            const long double number = std::strtold(word.c_str(), &end);
            if (*end == '\0')
                next.numbers.push_back(number);
            else
                next.names.push_back(word);
        }
        lines.push_back(next);
    }
    return lines;
}

} // namespace oracle
