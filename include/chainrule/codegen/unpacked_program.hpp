// SPDX-License-Identifier: BSL-1.0
//
// A program that is made at run time, of any size: by the same passes as at compile time, in one go.
#pragma once

#include <chainrule/codegen/finished_program.hpp>

#include <vector>

namespace chainrule::codegen {

/// What a finished_program states, in vectors.
struct unpacked_program {
    int size = 0;
    int constant_count = 0;
    int output_count = 0;
    int cost = 0; // codegen/cost.hpp
    std::vector<instruction> body;
    std::vector<coefficient> constants;
};

/// The program for a problem, with further outputs that are nodes of its graph.
[[nodiscard]] inline unpacked_program compile_now(problem&& of, const list<term>& further_outputs = {}) {
    compilation c(static_cast<problem&&>(of));
    while (!derive_pass(c, {})) {
    }
    for (const term& t : further_outputs) c.derived.outputs.push_back(t);
    for (int next = 1; next < pass_count;) next = run_passes(c, next);
    unpacked_program p;
    p.output_count = c.output_count;
    p.cost = cost_of(c.made);
    p.constant_count = c.made.constants.size();
    p.constants.assign(c.made.constants.begin(), c.made.constants.end());
    p.body.reserve(static_cast<std::size_t>(c.made.body.size()));
    number_slots(c.made, [&](const instruction& s) { p.body.push_back(s); });
    p.size = static_cast<int>(p.body.size());
    return p;
}

} // namespace chainrule::codegen
