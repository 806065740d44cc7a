// SPDX-License-Identifier: BSL-1.0
//
// Traces of every function, part 1 of three of the table: traces.hpp.
#include "traces.hpp"

TEST_CASE("every function is traced as it is recorded: 1", "[tape][trace]") { check_traces<0, 3>(); }
