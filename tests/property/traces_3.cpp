// SPDX-License-Identifier: BSL-1.0
//
// Traces of every function, part 3 of three of the table: traces.hpp.
#include "traces.hpp"

TEST_CASE("every function is traced as it is recorded: 3", "[tape][trace]") { check_traces<2, 3>(); }
