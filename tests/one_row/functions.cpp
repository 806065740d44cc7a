// SPDX-License-Identifier: BSL-1.0
//
// The new row in the test of all rows, property/functions.hpp: derivatives against differences.
#include "../property/functions.hpp"

TEST_CASE("derivatives of a function of one row agree with differences of its values", "[functions]") {
    check_unary<functions::haversine>();
}
