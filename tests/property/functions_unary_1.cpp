// SPDX-License-Identifier: BSL-1.0
//
// Are the derivatives of functions right? Those with one argument, the first half of them: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: unary 1", "[functions]") { check_functions<1, 0, 2>(); }
