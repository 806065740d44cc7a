// SPDX-License-Identifier: BSL-1.0
//
// Dense Hessians by chainrule's tape, recorded once and compiled to machine code at run time.
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>
#include <chainrule/tape/replay.hpp>

#include <optional>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace tape = chainrule::tape;

template <class Problem>
struct compiled;
template <class Problem>
requires asks<Problem, hessian>
struct compiled<Problem> {
    static constexpr auto name = "chainrule, compiled recording";
    numbers x = Problem::at();
    decltype(tape::compile(tape::record(Problem{}, x))) code =
        tape::compile(tape::record(Problem{}, x), {.keep = false, .hessians = true});
    std::optional<decltype(code.hessian(x))> found;

    void compute() { found = code.hessian(x); }
    [[nodiscard]] bench::answer answer() const { return all_of_dense(*found); }
};

} // namespace

contestant tape_compiled() { return contestant_of<compiled>(); }

} // namespace second_order
