// SPDX-License-Identifier: BSL-1.0
//
// Second and sparse derivatives by chainrule's tape, recorded anew at each call, which finds the pattern and the groups
// of sparse derivatives anew too.
#include <chainrule/tape.hpp>
#include <chainrule/tape/sparse.hpp>

#include <optional>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace tape = chainrule::tape;

template <class Problem>
struct tape_anew {
    static constexpr auto name = "chainrule tape";
    numbers x = Problem::at();
    static auto ask(const numbers& at) {
        if constexpr (asks<Problem, hessian>)
            return tape::hessian(Problem{}, at);
        else if constexpr (asks<Problem, product>) {
            static const numbers direction = Problem::direction();
            return tape::hvp(Problem{}, at, direction);
        } else if constexpr (asks<Problem, sparse_hessian>)
            return tape::sparse_hessian(Problem{}, at);
        else
            return tape::sparse_jacobian(Problem{}, at);
    }
    std::optional<decltype(ask(x))> found;

    void compute() { found = ask(x); }
    [[nodiscard]] bench::answer answer() const {
        if constexpr (asks<Problem, hessian>)
            return all_of_dense(*found);
        else if constexpr (asks<Problem, product>)
            return product_answer(*found);
        else
            return sparse_answer<Problem>(entries_of(found->pattern, found->entries));
    }
};

} // namespace

contestant tape_mode() { return contestant_of<tape_anew>(); }

} // namespace second_order
