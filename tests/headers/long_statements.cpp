// SPDX-License-Identifier: BSL-1.0
//
// Long statements on a tape, for a compile test with -O1, where g++ follows less of the code and warned of operands
// without a value.
#include <chainrule/tape.hpp>

#include <vector>

namespace tape = chainrule::tape;

double curvature(const std::vector<double>& at) {
    const auto f = [](const auto& p) {
        return abs(p[1]) * abs(p[0]) + fmin(p[0], p[1]) * fmax(p[2], 1.0) + copysign(p[0], p[1]) * p[2] +
               fmod(p[4], p[2]) * p[0] + remainder(p[4], p[2]) + fdim(p[0], p[1]) * p[3];
    };
    return tape::hessian(f, at).hessian(0, 1);
}
