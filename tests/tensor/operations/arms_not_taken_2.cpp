// SPDX-License-Identifier: BSL-1.0
//
// Unselected elements do not leak into gradients, part 2 of the table: arms_not_taken.hpp.
#include "arms_not_taken.hpp"

TEST_CASE("tensors: no function of the table leaks from an element that is not chosen: 2", "[table]") {
    check_rows<1, 2>();
}
