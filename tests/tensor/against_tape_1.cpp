// SPDX-License-Identifier: BSL-1.0
//
// Tensors against the tape on every function of the table, part 1 of three: against_tape.hpp.
#include "against_tape.hpp"

TEST_CASE("every function of the table has the tape's gradients: 1", "[tensor]") { check_functions<0, 3>(); }
