// SPDX-License-Identifier: BSL-1.0
//
// The test of nested.hpp for part 2 of 4 of the table. The parts compile in parallel.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 2", "[modes][table]") { check_nesting<1, 4>(); }
