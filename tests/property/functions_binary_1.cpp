// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions with two arguments, the first quarter: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: binary 1", "[functions]") {
    check_functions<2, 0, 4>();
}
