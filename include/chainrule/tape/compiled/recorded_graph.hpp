// SPDX-License-Identifier: BSL-1.0
//
// A recording as a graph of the compiler: the one that the same function has where it is traced at compile time. So the
// passes of the compiler make programs of recordings (tape/compiled/recorded_program.hpp).
#pragma once

#include <chainrule/tape/replay/program.hpp>
#include <chainrule/trace/record.hpp>

#include <string>

namespace chainrule::tape::replays {

/// The values of a recording. The first nodes are the constant 1 and the inputs.
struct recorded_graph {
    graph::canonical_graph g{graph::empty_graph_tag{}};
    int inputs = 0;
    core::list<graph::term> outputs;
    core::list<graph::term> readings; // on which the recording depends: truth values as 1 or 0
};

class graph_builder {
public:
    explicit graph_builder(const program<double>& from) : from_(from), node_(from.size) {
        static_cast<void>(recorder_.inputs(static_cast<int>(from.inputs)));
        for (std::size_t i = 0; i < from.inputs; ++i) node_[i] = static_cast<int>(i) + 1;
        for (std::size_t i = 0; i < from.constants.size(); ++i) node_[from.inputs + i] = constant(from.constants[i]);
        for (const run<double>& r : from.runs)
            for (slot k = 0; k < r.count; ++k) node_[r.result + k] = node_of(r, k);
    }

    [[nodiscard]] recorded_graph take() {
        core::list<int> roots;
        for (const slot s : from_.outputs) roots.push_back(node_[s]);
        for (std::size_t i = 0; i < from_.readings.size(); ++i) roots.push_back(read(from_.readings[i].of));
        // Numbered as the trace of a function, in which the passes find the same products first.
        const int inputs = static_cast<int>(from_.inputs);
        tracing::compaction<graph::graph_data> kept(g(), roots, inputs);
        recorded_graph made;
        static_cast<graph::graph_data&>(made.g) = static_cast<graph::graph_data&&>(kept.g);
        made.g.canonical_terms = core::list<graph::term>(made.g.size(), graph::zero_term);
        made.g.canonical_terms[0] = {0, graph::canonical_graph::one};
        made.g.make_unique();
        made.inputs = inputs;
        core::list<graph::term> all;
        for (const int root : kept.outputs) all.push_back({0, root});
        const int outputs = static_cast<int>(from_.outputs.size());
        for (int i = 0; i < all.size(); ++i) (i < outputs ? made.outputs : made.readings).push_back(all[i]);
        return made;
    }

private:
    const program<double>& from_;
    tracing::recorder recorder_;
    std::vector<int> node_; // by slot

    [[nodiscard]] graph::canonical_graph& g() { return recorder_.g; }
    [[nodiscard]] bool is_constant(int id) { return g()[id].what == graph::kind::constant; }

    [[nodiscard]] int node_of(const run<double>& r, slot k) {
        int operands[3] = {-1, -1, -1};
        for (unsigned i = 0; i < r.what->arity; ++i) operands[i] = node_[r.operands[i].at(from_.slots.data(), k)];
        const unsigned code = r.what->code;
        if (code == no_code)
            core::raise(std::invalid_argument(
                "compile: the recording calls the custom function '" + std::string(r.what->name) +
                "', which has no code in C; replay the recording, or write the function with those of the library"));
        if (code == relations::conjunction::code || code == relations::disjunction::code) {
            // Of a truth value that depends on no input, and was recorded as the number 1 or 0.
            const bool ends = code == relations::disjunction::code;
            for (const int one : {0, 1})
                if (is_constant(operands[one]))
                    return g().is_zero(operands[one]) != ends ? operands[one] : operands[1 - one];
        }
        if (code == relations::negation::code && is_constant(operands[0]))
            return g().constant(g().is_zero(operands[0]) ? 1 : 0);
        if (code == operations::select::code && is_constant(operands[0]))
            return g().is_zero(operands[0]) ? operands[2] : operands[1];
        return graph::apply_operation(g(), code, operands[0], operands[1], operands[2]);
    }
    // A constant. sqrt(2.0), which is a plain number when it is recorded, is a root again: its square is 2, so that one
    // exponential gives another. The root has the bits of the number.
    [[nodiscard]] int constant(double value) {
        constexpr double largest_root = 64;
        if (value > 1 && value < largest_root && value != static_cast<double>(static_cast<int>(value))) {
            const auto whole = static_cast<double>(static_cast<int>(value * value + 0.5));
            if (functions::sqrt::value(whole) == value)
                return g().call(functions::sqrt::position, recorder_.constant(whole, 0));
        }
        return recorder_.constant(value, 0);
    }
    // A number that the program read.
    [[nodiscard]] int read(slot s) {
        if (!g().is_condition(node_[s])) return node_[s];
        const int none = g().constant(0);
        return g().select(node_[s], graph::canonical_graph::one, none);
    }
};

} // namespace chainrule::tape::replays
