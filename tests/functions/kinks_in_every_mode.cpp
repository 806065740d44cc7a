// SPDX-License-Identifier: BSL-1.0
//
// Kinks, and functions that take one of their arguments.
#include "edges_in_every_mode.hpp"

TEST_CASE("kinks are the same in every mode", "[edges][modes]") {
    constexpr double inf = infinity, nan = not_a_number;
    ROW(abs(a), {0, 0, 0, 0}, {-inf, inf, -1, 0}, {nan, nan, nan, 0});
    ROW(relu(a), {0, 0, 0, 0}, {-inf, 0, 0, 0}, {2, 2, 1, 0}, {nan, nan, nan, 0});
    ROW(square(max(a, 2 - a)), {1, 1, 0, 0}, {3, 9, 6, 2});
    ROW(square(min(a, 0.5 * a)), {0, 0, 0, 2 * 0.75 * 0.75}, {4, 4, 2, 0.5});
    ROW(clamp(a, -1.0, 1.0), {1, 1, 1, 0}, {-1, -1, 1, 0}, {2, 1, 0, 0}, {nan, nan, nan, 0});
    ROW(clamp(a, 1.0, -1.0), {0, 1, 0, 0}, {1, -1, 0, 0}, {-2, 1, 0, 0}); // nothing is between the bounds
    ROW(clamp(0.0, a, -1.0), {1, 1, 1, 0}, {-0.5, -1, 0, 0}, {nan, nan, nan, 0});
    ROW(clamp(0.0, 1.0, a), {-1, 1, 0, 0}, {2, 1, 0, 0}, {nan, nan, nan, 0});
    ROW(clamp(2.0, 1.0, a), {-1, -1, 1, 0}, {3, 2, 0, 0}, {2, 2, 0, 0});
    ROW(max(a, 1.0), {1, 1, 0.5, 0}, {nan, nan, nan, 0});
    ROW(hypot(a, 0.0), {0, 0, 0, 0}, {-2, 2, -1, 0});
    ROW(copysign(a, -1.0), {2, -2, -1, 0}, {0, 0, 0, 0});
    ROW(square(fmax(a, 2 - a)), {1, 1, 0, 0}, {3, 9, 6, 2}, {nan, nan, nan, nan});
    ROW(fmin(a, 1.0), {nan, 1, 0, 0}, {1, 1, 0.5, 0}, {-2, -2, 1, 0});
    ROW(fdim(a, 1.0), {1, 0, 0, 0}, {3, 2, 1, 0}, {inf, inf, 1, 0}, {nan, nan, nan, 0});
    ROW(ldexp(a, 3) * a, {2, 32, 32, 16});
    ROW(doubled_magnitude(a), {0, 0, 0, 0}, {-1, 2, -2, 0});
}
