// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with std::experimental::simd of float.
#include "functions_of_lanes.hpp"

#if __has_include(<experimental/simd>)
TEST_CASE("functions of the table with std::experimental::simd of float") {
    functions_of_lanes::check_rows<std::experimental::native_simd<float>>();
}
#endif
