// SPDX-License-Identifier: BSL-1.0
//
// Printing: tensors as NumPy prints them, and the graph of a tensor as input for Graphviz.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/graph/creation.hpp>

#include <map>

namespace chainrule::tensor {

namespace graph {
/// Prints a number. Streams print the sign of NaN, which depends on the processor: as "-nan" for 0.0 / 0.0 on x86.
template <arithmetic T>
void print(std::ostream& out, const T& number) {
    if (number != number)
        out << "nan";
    else
        out << number;
}
} // namespace graph

/// Prints a tensor as NumPy does: nested brackets, one line per row.
template <arithmetic T>
std::ostream& operator<<(std::ostream& out, const tensor<T>& x) {
    const std::vector<T> numbers = x.values();
    const extents& shape = x.shape();
    const std::size_t rank = shape.rank();
    if (x.count() == 0)
        return out << std::string(std::max<std::size_t>(rank, 1), '[')
                   << std::string(std::max<std::size_t>(rank, 1), ']');
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        // How many axes begin, and end, with this element.
        std::size_t begins = 0, ends = 0;
        index block = 1;
        for (std::size_t axis = rank; axis-- > 0;) {
            block *= shape[axis];
            begins += static_cast<index>(i) % block == 0 ? 1 : 0;
            ends += static_cast<index>(i + 1) % block == 0 ? 1 : 0;
        }
        if (i != 0) out << (begins == 0 ? " " : std::string(begins, '\n') + std::string(rank - begins, ' '));
        out << std::string(begins, '[');
        graph::print<T>(out, numbers[i]);
        out << std::string(ends, ']');
    }
    return out;
}

/// The graph that backward() would visit, as input for Graphviz: `dot -Tsvg`. Boxes are tensors with their shapes, and
/// numbers if there are few; ellipses are operations. Does not recurse, so the graph may be of any depth.
template <std::floating_point T>
[[nodiscard]] std::string to_graphviz(const tensor<T>& root) {
    constexpr index shown = 6; // numbers in a box
    std::ostringstream text;
    text << "digraph tensors {\n    rankdir=LR;\n    node [fontname=\"Helvetica\"];\n";
    std::map<const graph::node<T>*, std::size_t> numbered{{&root.node(), 0}};
    std::vector<const graph::node<T>*> waiting{&root.node()};
    for (std::size_t done = 0; done < waiting.size(); ++done) {
        const graph::node<T>& next = *waiting[done];
        text << "    t" << done << " [shape=box, label=\"" << next.shape;
        if (next.count <= shown) {
            text << "\\n";
            index printed = 0;
            kernels::for_each(
                next.shape,
                [&](index at) {
                    text << (printed++ != 0 ? " " : "");
                    graph::print(text, next.numbers[at]);
                },
                next.strides);
        }
        text << '"' << (next.leaf() && next.wants_gradient ? ", style=bold" : "") << "];\n";
        if (next.leaf()) continue;
        text << "    o" << done << " [label=\"" << next.name() << "\"];\n    o" << done << " -> t" << done << ";\n";
        for (std::uint32_t k = 0; k < next.argument_count; ++k) {
            const auto [place, is_new] = numbered.emplace(&next.at(k), waiting.size());
            if (is_new) waiting.push_back(&next.at(k));
            text << "    t" << place->second << " -> o" << done << ";\n";
        }
    }
    text << "}\n";
    return text.str();
}

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
