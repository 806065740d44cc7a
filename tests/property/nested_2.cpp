// SPDX-License-Identifier: BSL-1.0
//
// A fourth of the rows of nested.hpp, so that the files compile side by side.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 2", "[modes][table]") { check_nesting<1, 4>(); }
