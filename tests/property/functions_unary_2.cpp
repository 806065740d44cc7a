// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions with one argument, the second half: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: unary 2", "[functions]") {
    check_functions<1, 1, 2>();
}
