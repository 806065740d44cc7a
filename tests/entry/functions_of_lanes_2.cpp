// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with xsimd::batch.
#include "functions_of_lanes.hpp"

#if __has_include(<xsimd/xsimd.hpp>)
TEMPLATE_TEST_CASE("functions of the table with xsimd::batch", "", float, double) {
    functions_of_lanes::check_rows<xsimd::batch<TestType>>();
}
#endif
