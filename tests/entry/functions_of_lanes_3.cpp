// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table with std::experimental::simd of more lanes than a register has.
#include "functions_of_lanes.hpp"

#if __has_include(<experimental/simd>)
TEST_CASE("functions of the table with lanes in several registers") {
    // libstdc++ 12 computes logb wrongly with clang.
    functions_of_lanes::check_rows<std::experimental::fixed_size_simd<double, 5>>("logb");
}
#endif
