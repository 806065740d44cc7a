// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions with three arguments: functions.hpp.
#include "functions.hpp"

TEST_CASE("derivatives of functions agree with differences of their values: ternary", "[functions]") {
    check_functions<3>();
}
