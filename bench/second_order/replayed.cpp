// SPDX-License-Identifier: BSL-1.0
//
// Second and sparse derivatives by chainrule's tape, recorded once and replayed. The pattern and the groups of sparse
// derivatives belong to the recording.
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <span>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace tape = chainrule::tape;

template <class Problem>
struct replayed {
    static constexpr auto name = "chainrule tape, recorded once";
    numbers x = Problem::at();
    decltype(tape::record(Problem{}, x)) recording = tape::record(Problem{}, x);
    numbers found = numbers(size());

    std::size_t size() {
        if constexpr (asks<Problem, product>)
            return x.size();
        else if constexpr (asks<Problem, sparse_hessian>)
            return recording.hessian_sparsity().size();
        else
            return recording.jacobian_sparsity().size();
    }
    void compute() {
        const std::span<double> to(found);
        if constexpr (asks<Problem, product>) {
            static const numbers direction = Problem::direction();
            recording.hvp(x, direction, to);
        } else if constexpr (asks<Problem, sparse_hessian>)
            recording.sparse_hessian(x, to);
        else
            recording.sparse_jacobian(x, to);
    }
    [[nodiscard]] bench::answer answer() {
        if constexpr (asks<Problem, product>)
            return product_answer(found);
        else if constexpr (asks<Problem, sparse_hessian>)
            return sparse_answer<Problem>(entries_of(recording.hessian_sparsity(), found));
        else
            return sparse_answer<Problem>(entries_of(recording.jacobian_sparsity(), found));
    }
};
template <class Problem>
requires asks<Problem, hessian>
struct replayed<Problem> : hessian_of_recording<decltype(tape::record(Problem{}, Problem::at()))> {
    static constexpr auto name = "chainrule tape, recorded once";

    replayed() : replayed::hessian_of_recording{tape::record(Problem{}, Problem::at()), Problem::at()} {}
};

} // namespace

contestant tape_recorded() { return contestant_of<replayed>(); }

} // namespace second_order
