// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with std::experimental::simd of double.
#include "functions_of_lanes.hpp"

#if __has_include(<experimental/simd>)
TEST_CASE("functions of the table with std::experimental::simd of double") {
    functions_of_lanes::check_rows<std::experimental::native_simd<double>>();
}
#endif
