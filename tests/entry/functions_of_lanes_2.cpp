// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with xsimd::batch.
#include "functions_of_lanes.hpp"

#if __has_include(<xsimd/xsimd.hpp>)
TEMPLATE_TEST_CASE("functions of the table with xsimd::batch", "", float, double) {
    // Between -2 and -1, xsimd's lgamma of floats has other values in versions before 9.
    functions_of_lanes::check_rows<xsimd::batch<TestType>>("", sizeof(TestType) == 4 ? "lgamma" : "");
}
#endif
