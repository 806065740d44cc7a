// SPDX-License-Identifier: BSL-1.0
//
// The test of traces.hpp for part 1 of 3 of the table.
#include "traces.hpp"

TEST_CASE("every function is traced as it is recorded: 1", "[tape][trace]") { check_traces<0, 3>(); }
