// SPDX-License-Identifier: BSL-1.0
//
// Calls functions for which the processor's level is chosen, and uses the same inline functions itself. What one level
// throws is caught here.
#include "formulas.hpp"

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/batch/lanes/lanes.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

int main() {
    std::vector<double> xs;
    for (int i = 0; i < 7; ++i) xs.push_back(0.25 * i);
    const auto found = slopes(xs);
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (std::abs(found[i] - std::exp(-xs[i]) * (std::cos(xs[i]) - std::sin(xs[i]))) > 1e-14) return 1;
    const int expected = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") ? 8
                         : __builtin_cpu_supports("avx2")                                         ? 4
                                                                                                  : 2;
    if (lanes() != expected || chainrule::batches::lane_count<chainrule::batches::widest<double>> != 2) return 2;
    xs.push_back(1.0);
    try {
        static_cast<void>(slopes(xs));
        return 3;
    } catch (const chainrule::bad_data& wrong) {
        std::printf("%d lanes\n%s\n", expected, wrong.what());
        return std::strstr(wrong.what(), "has 7 numbers") != nullptr ? 0 : 4;
    }
}
