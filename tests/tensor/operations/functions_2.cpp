// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table on tensors, part 2 of four: functions.hpp.
#include "functions.hpp"

TEST_CASE("functions have their values and gradients for each element: 2", "[tensor]") { check_functions<1, 4>(); }
