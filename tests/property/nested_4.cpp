// SPDX-License-Identifier: BSL-1.0
//
// The test of nested.hpp for part 4 of 4 of the table. The parts compile in parallel.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 4", "[modes][table]") { check_nesting<3, 4>(); }
