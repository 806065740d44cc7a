// SPDX-License-Identifier: BSL-1.0
//
// Is every function of the table right for tensors? Part 4 of four: functions.hpp.
#include "functions.hpp"

TEST_CASE("functions have their values and gradients for each element: 4", "[tensor]") { check_functions<3, 4>(); }
