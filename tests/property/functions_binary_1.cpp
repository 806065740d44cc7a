// SPDX-License-Identifier: BSL-1.0
//
// Are the derivatives of functions right? Those with two arguments, the first quarter of them: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: binary 1", "[functions]") { check_functions<2, 0, 4>(); }
