// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions with two arguments, the second quarter: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: binary 2", "[functions]") {
    check_functions<2, 1, 4>();
}
