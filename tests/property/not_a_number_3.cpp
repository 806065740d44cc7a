// SPDX-License-Identifier: BSL-1.0
//
// NaN in, NaN out? Part 3 of three of the table: not_a_number.hpp.
#include "not_a_number.hpp"

TEST_CASE("NaN in, NaN out: 3", "[edges]") { check_nans<2, 3>(); }
