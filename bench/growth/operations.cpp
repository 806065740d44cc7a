// SPDX-License-Identifier: BSL-1.0
//
// Growth of the time with the number of operations, for twelve variables.
#include "ladder.hpp"

namespace growth {

void add_operations() {
    ladder<10, 12>::add("operations", 10);
    ladder<30, 12>::add("operations", 30);
    ladder<100, 12>::add("operations", 100);
    ladder<300, 12>::add("operations", 300);
    ladder<1000, 12>::add("operations", 1000);
}

} // namespace growth
