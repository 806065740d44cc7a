// SPDX-License-Identifier: BSL-1.0
//
// The test of replay_functions.hpp for part 5 of 6 of the table. The parts compile in parallel.
#include "functions.hpp"

TEST_CASE("functions of the table are replayed, part 5", "[tape][table]") { check_rows<4, 6>(functions::all{}); }
