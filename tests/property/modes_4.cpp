// SPDX-License-Identifier: BSL-1.0
//
// Tape mode, forward mode and kernels on functions of the table, part 4: modes.hpp.
#include "modes.hpp"

TEST_CASE("tape mode and forward mode agree with kernels on functions, part 4", "[modes]") { check_rows<3, 4>(); }
