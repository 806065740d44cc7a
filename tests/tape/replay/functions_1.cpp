// SPDX-License-Identifier: BSL-1.0
//
// The test of replay_functions.hpp for part 1 of 6 of the table. The parts compile in parallel.
#include "functions.hpp"

TEST_CASE("functions of the table are replayed, part 1", "[tape][table]") { check_rows<0, 6>(functions::all{}); }
