// SPDX-License-Identifier: BSL-1.0
//
// Dense Hessians by chainrule's tape, recorded once and compiled to machine code at run time.
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>
#include <chainrule/tape/replay.hpp>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace tape = chainrule::tape;

template <class Problem>
struct compiled;
template <class Problem>
requires asks<Problem, hessian>
struct compiled<Problem> : hessian_of_recording<decltype(tape::compile(tape::record(Problem{}, Problem::at())))> {
    static constexpr auto name = "chainrule, compiled recording";

    compiled()
        : compiled::hessian_of_recording{
              tape::compile(tape::record(Problem{}, Problem::at()), {.keep = false, .hessians = true}),
              Problem::at()} {}
};

} // namespace

contestant tape_compiled() { return contestant_of<compiled>(); }

} // namespace second_order
