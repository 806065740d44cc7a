// SPDX-License-Identifier: BSL-1.0
//
// The cost of instructions and of programs, in the units of graph/cost.hpp.
#pragma once

#include <chainrule/codegen/code.hpp>
#include <chainrule/graph/cost.hpp>

namespace chainrule::codegen {

[[nodiscard]] constexpr int cost_of(const instruction& s) {
    switch (row_of(s.what).as) {
    case counted::nothing:
    case counted::memory: return 0;
    case counted::addition:
    case counted::negation: return operation_cost::addition;
    case counted::multiplication:
    case counted::fused: return operation_cost::multiplication;
    case counted::division: return operation_cost::division;
    case counted::call: return s.what == opcode::sine_cosine ? int{operation_cost::elementary} : call_cost(s.function);
    case counted::selection: return operation_cost::selection;
    }
    return 0;
}

[[nodiscard]] constexpr int cost_of(const code& c) {
    int sum = 0;
    for (int i = 0; i < c.body.count; ++i) sum += cost_of(c.body.items[i]);
    return sum;
}

} // namespace chainrule::codegen
