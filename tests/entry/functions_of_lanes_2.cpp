// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with xsimd::batch.
#include "functions_of_lanes.hpp"

#if __has_include(<xsimd/xsimd.hpp>)
TEMPLATE_TEST_CASE("functions of the table with xsimd::batch", "", float, double) {
    // Between -2 and -1, the lgamma of floats of xsimd 8 has other values.
    functions_of_lanes::check_rows<xsimd::batch<TestType>>("", sizeof(TestType) == 4 ? "lgamma" : "");
}
#endif
