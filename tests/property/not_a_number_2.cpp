// SPDX-License-Identifier: BSL-1.0
//
// NaN in, NaN out? Part 2 of three of the table: not_a_number.hpp.
#include "not_a_number.hpp"

TEST_CASE("NaN in, NaN out: 2", "[edges]") { check_nans<1, 3>(); }
