// SPDX-License-Identifier: BSL-1.0
//
// Extreme arguments of a quarter of the functions: extremes.hpp.
#include "extremes.hpp"

TEST_CASE("extreme arguments, 3 of 4", "[oracle]") { check_extremes<2, 4>(); }
