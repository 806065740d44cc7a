// SPDX-License-Identifier: BSL-1.0
//
// Compiled once for each level of processors. The functions of the standard library here are those of main.cpp, too.
#include "formulas.hpp"

#include <chainrule/batch.hpp>

namespace cr = chainrule;

std::vector<double> slopes(const std::vector<double>& xs) {
    constexpr auto x = cr::variable<"x">;
    constexpr auto F = cr::function(exp(-x) * sin(x), cr::wrt(x));
    std::vector<double> found(7); // of another length than xs: refused
    if (xs.size() != 7) return cr::batch(F).gradient(cr::columns(xs), found), found;
    cr::batch(F).gradient(cr::columns(xs), found);
    std::vector<double> copied;
    for (const double each : found) copied.push_back(each);
    return copied;
}

int lanes() { return static_cast<int>(cr::batches::lane_count<cr::batches::widest<double>>); }
