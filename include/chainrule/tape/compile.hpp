// SPDX-License-Identifier: BSL-1.0
//
// From a recording to machine code: compile(r) and to_c(r), for functions whose structure is known only at run time.
// Include this header in addition to chainrule/tape.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/compiled_function.hpp>
#include <chainrule/tape/replay.hpp>

namespace chainrule::tape {

/// The values and derivatives of a recording in machine code, made by the compiler of the machine, which takes a
/// fraction of a second or more; a library that was made before is only loaded. Throws compile_error.
/// Example: `auto k = compile(record(f, x)); k.gradient(other)`
template <class T, class F, class Values>
[[nodiscard]] auto compile(const recorded_function<T, F, Values>& r, const compile_options& options = {}) {
    constexpr bool in_double = std::same_as<T, double>;
    static_assert(in_double, "compile: the recording does not compute in double; record at numbers of type double");
    if constexpr (in_double) return compiled_function<Values>(r, options);
}

/// The program of a recording as the function `name` in C, with the results of `request`: chainrule/print/c.hpp. After
/// them it writes the comparisons and the numbers that the function read while it was recorded.
template <class F, class Values>
[[nodiscard]] std::string to_c(const recorded_function<double, F, Values>& r, const std::string& name = "f",
                               unsigned request = request::values | request::jacobians) {
    if (name.empty() || !detail::begins_word(name[0]) ||
        detail::length_of_word(name.c_str()) != static_cast<int>(name.size()))
        core::raise(
            std::invalid_argument("to_c: the name '" + name + "' is not a C identifier; use letters, digits and _"));
    if (request == 0 || request >= 2 * request::hessians)
        core::raise(std::invalid_argument("to_c: the request is not request::values, jacobians, hessians or a sum of "
                                          "them; write one"));
    const replays::recorded_graph graph = replays::graph_builder(r.recording().what()).take();
    return replays::text_in_c(replays::program_of(graph, request), name.c_str(), graph, request);
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
