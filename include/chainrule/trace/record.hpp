// SPDX-License-Identifier: BSL-1.0
//
// Calls a user's function once, in a constant evaluation, with numbers that record all operations, and keeps the
// resulting graph: the inputs first, then the nodes that the outputs need, in the order in which an expression would be
// lowered.
#pragma once

#include <chainrule/graph/words.hpp>
#include <chainrule/trace/forms.hpp>

namespace chainrule::tracing {

using core::list;
using custom_function_entry = graph::custom_function_entry;
using graph_data = graph::graph_data;
using node = graph::node;
using term = graph::term;
using graph::word_array;

/// The graph of a traced function in arrays of fixed capacity. Node 0 is the constant 1; the inputs follow.
template <int Capacity>
struct saved_trace {
    const int* address = &core::anchor;
    word_array<node, Capacity> nodes{};
    word_array<term, 2 * Capacity> pool{};
    word_array<core::coefficient, Capacity> magnitudes{};
    word_array<int, Capacity> outputs{};
    word_array<bool, Capacity> used{}; // by input: whether an output depends on it
    int custom_function_count = 0;
    custom_function_entry custom_functions[graph::custom_function_limit]{};

    [[nodiscard]] constexpr bool complete() const {
        return nodes.complete() && pool.complete() && magnitudes.complete() && outputs.complete() && used.complete();
    }
};

template <int Capacity>
[[nodiscard]] constexpr saved_trace<Capacity> saved_as(const graph_data& g, const list<custom_function_entry>& own,
                                                       const list<int>& outputs, const list<bool>& used) {
    saved_trace<Capacity> f;
    f.nodes.fill(g.nodes);
    f.pool.fill(g.pool);
    f.magnitudes.fill(g.coefficients.magnitudes);
    f.outputs.fill(outputs);
    f.used.fill(used);
    for (const custom_function_entry& e : own) f.custom_functions[f.custom_function_count++] = e;
    return f;
}

/// The capacity that a trace needs; or an error of the code, as a negative number.
struct capacity_of {
    [[nodiscard]] constexpr int operator()(const recorder& r, const list<int>& outputs) const {
        if (r.found != fault::none) return -static_cast<int>(r.found);
        const int nodes = r.g.nodes.count > r.g.pool.count ? r.g.nodes.count : r.g.pool.count;
        return nodes > outputs.count ? nodes : outputs.count;
    }
};

/// Code to trace: a function object without state. trace/members.hpp has the code of objects with members. Form::call
/// traces it and returns what a function object makes of the recorder and the outputs.
template <class F>
struct code_of {
    using object = F;
    static constexpr int members = 0;

    /// The object to call, given the numbers for its members.
    template <class Number>
    static constexpr F made(recorder&, const Number*) {
        return F{};
    }
    /// What follows the call. (A template: debug information would list it, and with it the recorder.)
    template <class Outputs>
    static constexpr void finish(recorder&, Outputs&) {}
};

/// Code whose results are relaxed.
template <class F>
struct relaxed_code;
template <class F>
struct code_of<relaxed_code<F>> : code_of<F> {
    template <class Outputs>
    static constexpr void finish(recorder& r, Outputs& outputs) {
        if (r.found == fault::none)
            for (int& output : outputs) output = r.g.call(functions::relaxed::position, output);
    }
};
/// Code that fails: for the compiler to state why.
template <class F>
struct failing_code;
template <class F>
struct code_of<failing_code<F>> : code_of<F> {
    template <class Number>
    static constexpr auto made(recorder& r, const Number* x) {
        r.explains = true;
        return code_of<F>::made(r, x);
    }
};
template <class F, bool Relaxed>
using with_values_of = std::conditional_t<Relaxed, relaxed_code<F>, F>;

template <class F, class Form, int Capacity>
[[nodiscard]] constexpr saved_trace<Capacity> recorded() {
    return Form::template call<code_of<F>>(
        [](const recorder& r, const list<int>& outputs) {
            return saved_as<Capacity>(r.g, r.g.custom_functions, outputs, list<bool>());
        },
        typename Form::all_inputs{});
}

/// The capacity that a trace of F needs, as capacity_of() states it; 0 if a constant evaluation cannot call the
/// code. (Constructors of one line: clang prints all lines of a function on the way to an error in the code.)
template <class F, class Form>
struct size_of_trace {
    int capacity;
    template <int Capacity = Form::template call<code_of<F>>(capacity_of{}, typename Form::all_inputs{})>
    constexpr explicit size_of_trace(int) : capacity(Capacity) {}
    constexpr explicit size_of_trace(long) : capacity(0) {}
};

/// Keeps the nodes of a trace that the outputs need, numbered like the lowering of an expression: operands first, from
/// left to right.
template <class Graph>
class compaction {
public:
    Graph g;
    list<int> outputs;
    list<bool> used;

    template <int Capacity>
    constexpr compaction(const saved_trace<Capacity>& from, int inputs) {
        from.nodes.read(nodes_);
        from.pool.read(pool_);
        from.magnitudes.read(magnitudes_);
        from.outputs.read(outputs);
        keep(inputs);
    }
    /// Of a graph that was made at run time.
    constexpr compaction(const graph_data& from, const list<int>& roots, int inputs)
        : outputs(roots), nodes_(from.nodes), pool_(from.pool), magnitudes_(from.coefficients.magnitudes) {
        keep(inputs);
    }

private:
    list<node> nodes_;
    list<term> pool_;
    list<core::coefficient> magnitudes_;
    list<int> place_, magnitude_; // the new positions of nodes and magnitudes, or -1
    list<int> tasks_;
    int inputs_ = 0;

    constexpr void keep(int inputs) {
        used = list<bool>(inputs, false);
        place_ = list<int>(nodes_.count, -1);
        magnitude_ = list<int>(magnitudes_.count, -1);
        magnitude_.items[0] = 0;
        g.nodes.reserve(nodes_.count);
        g.nodes.push_back(nodes_.items[0]);
        place_.items[0] = 0;
        for (int i = 0; i < inputs; ++i) {
            place_.items[i + 1] = g.nodes.count;
            g.nodes.push_back(nodes_.items[i + 1]);
        }
        inputs_ = inputs;
        for (int i = 0; i < outputs.count; ++i) outputs.items[i] = placed(outputs.items[i]);
    }
    // Requests a missing operand first.
    constexpr void ask(int id) {
        if (place_.items[id] < 0) tasks_.push_back(id);
        if (0 < id && id <= inputs_) used.items[id - 1] = true;
    }
    constexpr int placed(int output) {
        ask(output);
        while (tasks_.count != 0) {
            const int id = tasks_.items[tasks_.count - 1];
            if (place_.items[id] >= 0) {
                tasks_.truncate(tasks_.count - 1);
                continue;
            }
            const int before = tasks_.count;
            node n = nodes_.items[id];
            if (n.what >= graph::kind::select) {
                for (int i = n.b - 1; i >= 0; --i) ask(pool_.items[n.a + i].id);
                if (tasks_.count != before) continue;
                const int first = g.pool.count;
                for (int i = 0; i < n.b; ++i) g.pool.push_back({0, place_.items[pool_.items[n.a + i].id]});
                n.a = first;
            } else if (n.what == graph::kind::constant) {
                n.a = renumbered(n.a);
            } else {
                if (n.b >= 0) ask(n.b);
                ask(n.a);
                if (tasks_.count != before) continue;
                n.a = place_.items[n.a];
                if (n.b >= 0) n.b = place_.items[n.b];
            }
            place_.items[id] = g.nodes.count;
            g.nodes.push_back(n);
            tasks_.truncate(before - 1);
        }
        return place_.items[output];
    }
    constexpr int renumbered(int c) {
        int& m = magnitude_.items[c >> 1];
        if (m < 0) {
            m = g.coefficients.magnitudes.count;
            g.coefficients.magnitudes.push_back(magnitudes_.items[c >> 1]);
        }
        return 2 * m + (c & 1);
    }
};

/// The first of the two evaluations that a long trace takes. (No variable of the function that reads it: clang would
/// evaluate it there once more.)
template <class F, class Form, int Size>
struct first_recording {
    static constexpr auto written = recorded<F, Form, Size>();
};

/// The trace of F in Form, with the capacity that size_of_trace states.
template <class F, class Form, int Size>
struct trace {
private:
    static constexpr int inputs = Form::inputs + code_of<F>::members;

    static constexpr auto compact() {
        if constexpr (Size <= 1000) {
            return Form::template call<code_of<F>>(
                [](const recorder& r, const list<int>& outputs) {
                    const compaction<graph_data> c(r.g, outputs, inputs);
                    return saved_as<Size>(c.g, r.g.custom_functions, c.outputs, c.used);
                },
                typename Form::all_inputs{});
        } else {
            constexpr const auto& written = first_recording<F, Form, Size>::written;
            const compaction<graph_data> c(written, inputs);
            list<custom_function_entry> own;
            for (int i = 0; i < written.custom_function_count; ++i) own.push_back(written.custom_functions[i]);
            return saved_as<Size>(c.g, own, c.outputs, c.used);
        }
    }

public:
    static constexpr auto graph = compact();
    static constexpr int outputs = graph.outputs.size;
};

} // namespace chainrule::tracing
