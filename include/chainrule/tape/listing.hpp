// SPDX-License-Identifier: BSL-1.0
//
// The statements of a tape in the order of recording: each result with its operands and the partial derivatives with
// respect to them. tape/trace.hpp and tape/graphviz.hpp read tapes through this file only.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/recording/tape.hpp>
#include <chainrule/tape/recording/text_of_value.hpp>

#include <span>
#include <string>
#include <vector>

namespace chainrule::tape {

/// One statement of a tape: a result and its partial derivatives with respect to the operands. An operand that the
/// statement uses twice appears twice. An input (a variable, or a result of basic_tape::operation) has no operands.
template <class T>
struct statement_entry {
    index result = 0;                ///< counted from 1
    std::span<const index> operands; ///< the results that they are
    std::span<const T> partials;     ///< one for each operand
};

/// Calls `visit` with the statement_entry of every statement, in the order of recording. The data that the entry refers
/// to are valid during the call.
template <class T, class Visit>
void for_each_statement(const basic_tape<T>& from, Visit visit) {
    std::vector<index> operands;
    std::vector<T> partials;
    index result = 1;
    const auto visit_up_to = [&](index end) { // operands belong to the first of these, and the others are inputs
        for (; result < end; ++result) {
            visit(statement_entry<T>{result, operands, partials});
            operands.clear();
            partials.clear();
        }
    };
    from.entries().for_each_operand([&](index of, index operand, const T& partial) {
        visit_up_to(of);
        operands.push_back(operand);
        partials.push_back(partial);
    });
    visit_up_to(from.entries().next());
}

/// The statements of a tape as text, one line each, with all digits. A line is the differential of the result, as in
/// `d3 = 0.5 * d1 + 1.0 * d2`; an input is `d1`.
template <class T>
[[nodiscard]] std::string to_string(const basic_tape<T>& from) {
    std::string text;
    for_each_statement(from, [&](const statement_entry<T>& s) {
        text += 'd' + std::to_string(s.result);
        for (std::size_t k = 0; k < s.operands.size(); ++k)
            text += (k == 0 ? " = " : " + ") + text_of_value(s.partials[k]) + " * d" + std::to_string(s.operands[k]);
        text += '\n';
    });
    return text;
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
