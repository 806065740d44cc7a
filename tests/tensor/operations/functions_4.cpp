// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table on tensors, part 4 of four: functions.hpp.
#include "functions.hpp"

TEST_CASE("functions have their values and gradients for each element: 4", "[tensor]") { check_functions<3, 4>(); }
