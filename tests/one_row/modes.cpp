// SPDX-License-Identifier: BSL-1.0
//
// The new row in the test of all rows, property/modes.hpp: tape mode and forward mode against kernels.
#include "../property/modes.hpp"

TEST_CASE("tape mode and forward mode agree with kernels on a function of one row", "[modes]") {
    check_row<functions::haversine>();
}
