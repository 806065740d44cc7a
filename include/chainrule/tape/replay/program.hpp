// SPDX-License-Identifier: BSL-1.0
//
// A recording as it is replayed: runs, and the memory that they need. tape/replay/arrangement.hpp makes it.
#pragma once

#include <chainrule/tape/replay/recorder.hpp>
#include <chainrule/tape/replay/slots.hpp>
#include <chainrule/tape/replay/stream.hpp>

namespace chainrule::tape::replays {

/// What a recording computes. Of the values, the inputs come first, then the constants, then the results; of the
/// adjoints, those of the inputs, then one that nothing reads.
template <class T>
struct program {
    std::size_t inputs = 0;
    std::size_t size = 0;     // of the memory of the values
    std::size_t adjoints = 0; // of that of the adjoints
    std::size_t operations = 0;
    std::vector<T> constants;
    std::vector<run<T>> runs;
    std::vector<slot> slots;          // the lists of the runs
    std::vector<value_task> forwards; // the runs as a stream
    std::vector<adjoint_task> backwards;
    std::vector<slot> outputs, output_adjoints;
    std::vector<block_of_slots> cleared; // adjoints that a sweep back sets to zero, in its order
    std::size_t cleared_first = 0;       // how many of these before the last run
    std::vector<reading<T>> readings;
    std::vector<step<T>> read; // the steps behind them, for messages

    [[nodiscard]] std::size_t first_result() const { return inputs + constants.size(); }
};

/// Which operations that are live take each result.
template <class T>
struct uses_of_results {
    std::vector<slot> waiting; // by operation, how many results it takes
    std::vector<slot> first;   // by result, where its users begin
    std::vector<slot> users;

    uses_of_results(const std::vector<step<T>>& steps, const std::vector<char>& live)
        : waiting(steps.size()), first(steps.size() + 1) {
        const auto for_each_use = [&](auto visit) {
            for (slot s = 0; s < steps.size(); ++s) {
                if (live[s] == 0 || steps[s].what == nullptr) continue;
                for (unsigned k = 0; k < steps[s].what->arity; ++k)
                    if (const slot operand = steps[s].operands[k]; steps[operand].what != nullptr) visit(operand, s);
            }
        };
        for_each_use([&](slot operand, slot s) {
            ++waiting[s];
            ++first[operand + 1];
        });
        for (std::size_t s = 0; s < steps.size(); ++s) first[s + 1] += first[s];
        users.resize(first.back());
        std::vector<slot> filled(first.begin(), first.end() - 1);
        for_each_use([&](slot operand, slot s) { users[filled[operand]++] = s; });
    }
};

} // namespace chainrule::tape::replays
