// SPDX-License-Identifier: BSL-1.0
//
// A tape as a graph in Graphviz format: inputs are boxes, statements ellipses, and an edge leads from each operand to
// the result, labelled with the partial derivative. The picture of a trace (tape/trace.hpp) also shows operations and
// values. Include this header separately.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/listing.hpp>

namespace chainrule::tape {

template <class T>
class basic_trace;

/// Text as a quoted string of Graphviz, with quotes and backslashes escaped.
[[nodiscard]] inline std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + '"';
}

/// The picture of a tape, with labels from the caller: `label(statement)` is the text in the node of a statement_entry;
/// a newline in it starts a new line.
template <class T, class Label>
[[nodiscard]] std::string to_graphviz(const basic_tape<T>& from, Label label) {
    std::string text = "digraph tape {\n    rankdir=LR;\n";
    for_each_statement(from, [&](const statement_entry<T>& s) {
        const std::string node = 'n' + std::to_string(s.result);
        text += "    " + node + " [shape=" + (s.operands.empty() ? "box" : "ellipse") + ", label=" + quoted(label(s)) +
                "];\n";
        for (std::size_t k = 0; k < s.operands.size(); ++k)
            text += "    n" + std::to_string(s.operands[k]) + " -> " + node +
                    " [label=" + quoted(text_of_rounded(s.partials[k], 4)) + "];\n";
    });
    return text + "}\n";
}

/// The picture of a tape as text in Graphviz format; `dot -Tsvg` draws it. Nodes show the indices of results in the
/// order of recording, edges the partial derivatives with four digits. A number that a statement uses twice has two
/// edges.
template <class T>
[[nodiscard]] std::string to_graphviz(const basic_tape<T>& from) {
    return to_graphviz(from, [](const statement_entry<T>& s) { return std::to_string(s.result); });
}

/// The picture of a trace: nodes show lines, as in `v1 = log(v-1)`, and their values with six digits.
template <class T>
[[nodiscard]] std::string to_graphviz(const basic_trace<T>& from) {
    const auto lines = from.primal_lines();
    return to_graphviz(from.tape(), [&](const statement_entry<T>& s) {
        const auto& line = lines[s.result - 1];
        return s.operands.empty() ? line.text() : line.text() + '\n' + text_of_rounded(line.value, 6);
    });
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
