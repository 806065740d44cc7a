// SPDX-License-Identifier: BSL-1.0
//
// NaN in, NaN out? Part 1 of three of the table: not_a_number.hpp.
#include "not_a_number.hpp"

TEST_CASE("NaN in, NaN out: 1", "[edges]") { check_nans<0, 3>(); }
