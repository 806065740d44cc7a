// SPDX-License-Identifier: BSL-1.0
//
// A recording as a straight-line program for its values and derivatives, by the passes of the compiler, and as a
// function in C.
#pragma once

#include <chainrule/codegen/unpacked_program.hpp>
#include <chainrule/graph/relaxed.hpp>
#include <chainrule/print/c_writer.hpp>
#include <chainrule/tape/compiled/recorded_graph.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chainrule::tape::replays {

/// The program of a recording in a form of its relaxed values.
template <graph::relaxed_form Form = graph::relaxed_form::unchosen>
[[nodiscard]] codegen::unpacked_program program_in_form(const recorded_graph& of, unsigned request) {
    differentiate::problem p;
    core::list<graph::term> roots;
    for (const graph::term& t : of.outputs) roots.push_back(t);
    for (const graph::term& t : of.readings) roots.push_back(t);
    if constexpr (Form == graph::relaxed_form::unchosen) {
        p.g = of.g;
    } else {
        for (int i = 0; i < of.inputs; ++i) static_cast<void>(p.g.variable(i));
        graph::relaxation<graph::canonical_graph, Form>(of.g, p.g).run(roots);
        p.rearranged = Form == graph::relaxed_form::rearranged;
    }
    core::list<graph::term> outputs, readings;
    for (int i = 0; i < roots.size(); ++i) (i < of.outputs.size() ? outputs : readings).push_back(roots[i]);
    p.variable_count = p.first_parameter = of.inputs;
    core::list<int> variables;
    for (int i = 0; i < of.inputs; ++i) variables.push_back(i + 1);
    jacobian_mode by = jacobian_mode::reverse;
    if ((request & request::jacobians) != 0 && outputs.size() > 1)
        by = differentiate::cheapest_jacobian_mode(differentiate::costs_of_jacobian_modes(p.g, outputs, variables));
    constexpr int in_one_go = 1 << 30;
    differentiate::derive_requested(p, outputs, variables, request, by, in_one_go);
    return codegen::compile_now(std::move(p), readings);
}

/// The program of a recording, which consists of the same instructions as that of a function traced at compile time.
/// After the results it writes the numbers that were read while recording.
[[nodiscard]] inline codegen::unpacked_program program_of(const recorded_graph& of, unsigned request) {
    if (!of.g.is_marked()) return program_in_form(of, request);
    codegen::unpacked_program rearranged = program_in_form<graph::relaxed_form::rearranged>(of, request),
                              reciprocals = program_in_form<graph::relaxed_form::reciprocals>(of, request),
                              as_written = program_in_form<graph::relaxed_form::written>(of, request);
    const graph::relaxed_form best = graph::cheapest_form(rearranged.cost, reciprocals.cost, as_written.cost);
    return best == graph::relaxed_form::rearranged    ? rearranged
           : best == graph::relaxed_form::reciprocals ? reciprocals
                                                      : as_written;
}

/// The functions of chainrule/special_functions.hpp that a program or its formulas call: they have no code in C.
inline void add_functions_without_code(const codegen::unpacked_program& p, std::vector<int>& to) {
    detail::needed_functions all;
    for (const codegen::instruction& i : p.body)
        if (i.what == codegen::opcode::call) all.add(i.function);
    for (int i = 0; i < detail::row_count; ++i) {
        const detail::row_of_table& row = detail::rows_of_table[i];
        if (all.needed[i] && !row.is_formula() && !row.is_in_math_h() && std::ranges::find(to, i) == to.end())
            to.push_back(i);
    }
}
/// Their definitions in C: calls of functions of the program that loads the code, which sets the pointers.
[[nodiscard]] inline std::string definitions_by_pointers(const std::vector<int>& functions) {
    std::string text;
    for (const int i : functions) {
        const detail::row_of_table& row = detail::rows_of_table[i];
        const std::string name = std::string("chainrule_") + row.name;
        const char* const parameters = row.arity == 1   ? "(double x)"
                                       : row.arity == 2 ? "(double x, double y)"
                                                        : "(double x, double y, double z)";
        const char* const arguments = row.arity == 1 ? "(x)" : row.arity == 2 ? "(x, y)" : "(x, y, z)";
        const std::string_view parts[] = {"double (*",  name,          "_of_program)", parameters,
                                          ";\ndouble ", name,          parameters,     " { return ",
                                          name,         "_of_program", arguments,      "; }\n"};
        for (const std::string_view part : parts) text += part;
    }
    return text;
}

/// Writes each output at its place instead; those without one, -1, are not written.
inline void place_outputs(codegen::unpacked_program& p, const std::vector<int>& place) {
    for (codegen::instruction& i : p.body) {
        if (i.what != codegen::opcode::output) continue;
        if (const int to = place[static_cast<std::size_t>(i.b)]; to >= 0)
            i.b = to;
        else
            i.what = codegen::opcode::refresh;
    }
    p.output_count = 0; // which a comment would list
}

/// The instructions of a C function. With more, what compilers take for each grows.
inline constexpr int instructions_of_c_function = 500;

/// A program as the function `name` in C: print/c.hpp. `apart`: its results overlap no inputs.
template <class Program>
[[nodiscard]] std::string text_in_c(const Program& p, const char* name, const recorded_graph& of, unsigned request,
                                    bool apart = false, int per_function = instructions_of_c_function,
                                    int first_of_matrix = detail::no_matrix) {
    std::vector<std::string> inputs;
    for (int i = 0; i < of.inputs; ++i) {
        inputs.push_back("x");
        inputs.back() += std::to_string(i);
    }
    std::vector<const char*> input_names;
    input_names.reserve(inputs.size());
    for (const std::string& each : inputs) input_names.push_back(each.c_str());
    const detail::listing_names names{
        input_names.data(), of.inputs, of.outputs.size(), of.inputs, request, nullptr, name, 0,
        per_function,       apart,     first_of_matrix};
    using writer = detail::c_writer<Program>;
    std::string text(static_cast<std::size_t>(writer(p, names, nullptr).size()), '\0');
    static_cast<void>(writer(p, names, text.data()));
    if (!of.readings.empty())
        text.insert(text.find("#include"), "// after these: " + std::to_string(of.readings.size()) +
                                               " comparisons, or numbers that were read, as when it was recorded\n");
    return text;
}

} // namespace chainrule::tape::replays
