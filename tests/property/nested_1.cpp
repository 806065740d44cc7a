// SPDX-License-Identifier: BSL-1.0
//
// A fourth of the rows of nested.hpp, so that the files compile side by side.
#include "nested.hpp"

TEST_CASE("numbers with derivatives nest, part 1", "[modes][table]") { check_nesting<0, 4>(); }
