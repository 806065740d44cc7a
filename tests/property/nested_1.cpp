// SPDX-License-Identifier: BSL-1.0
//
// The test of nested.hpp for part 1 of 4 of the table. The parts compile in parallel.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 1", "[modes][table]") { check_nesting<0, 4>(); }
