// SPDX-License-Identifier: BSL-1.0
//
// The test of nested.hpp for part 3 of 4 of the table. The parts compile in parallel.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 3", "[modes][table]") { check_nesting<2, 4>(); }
