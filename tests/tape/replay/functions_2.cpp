// SPDX-License-Identifier: BSL-1.0
//
// The test of replay_functions.hpp for part 2 of 6 of the table. The parts compile in parallel.
#include "functions.hpp"

TEST_CASE("functions of the table are replayed, part 2", "[tape][table]") { check_rows<1, 6>(functions::all{}); }
