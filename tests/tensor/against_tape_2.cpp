// SPDX-License-Identifier: BSL-1.0
//
// Tensors against the tape on every function of the table, part 2 of three: against_tape.hpp.
#include "against_tape.hpp"

TEST_CASE("every function of the table has the tape's gradients: 2", "[tensor]") { check_functions<1, 3>(); }
