// SPDX-License-Identifier: BSL-1.0
//
// The test of not_a_number.hpp for part 2 of 3 of the table.
#include "not_a_number.hpp"

TEST_CASE("NaN in, NaN out: 2", "[edges]") { check_nans<1, 3>(); }
