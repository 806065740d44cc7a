// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions with one argument, the first half: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: unary 1", "[functions]") {
    check_functions<1, 0, 2>();
}
