// SPDX-License-Identifier: BSL-1.0
//
// The test of traces.hpp for part 3 of 3 of the table.
#include "traces.hpp"

TEST_CASE("every function is traced as it is recorded: 3", "[tape][trace]") { check_traces<2, 3>(); }
