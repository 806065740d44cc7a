// SPDX-License-Identifier: BSL-1.0
//
// Growth of the time with the number of variables, for 500 operations.
#include "ladder.hpp"

namespace growth {

void add_variables() {
    ladder<500, 1>::add("variables", 1);
    ladder<500, 3>::add("variables", 3);
    ladder<500, 10>::add("variables", 10);
    ladder<500, 30>::add("variables", 30);
    ladder<500, 100>::add("variables", 100);
}

} // namespace growth
