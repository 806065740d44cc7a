// SPDX-License-Identifier: BSL-1.0
//
// The test of modes.hpp for part 1 of 4 of the table.
#include "modes.hpp"

TEST_CASE("tape mode and forward mode agree with kernels on functions, part 1", "[modes]") { check_rows<0, 4>(); }
