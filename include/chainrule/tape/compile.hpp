// SPDX-License-Identifier: BSL-1.0
//
// From a recording to machine code: compile(r) and to_c(r), for functions whose structure is known only at run time.
// Include this header in addition to chainrule/tape.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/compiled/compiled_function.hpp>
#include <chainrule/tape/replay.hpp>

#include <concepts>
#include <iosfwd>
#include <type_traits>

namespace chainrule::tape {

namespace replays {
template <class Row, class... X>
double value_for_c(X... x) {
    return Row::value(x...);
}
template <std::size_t I>
void add_function_without_code(std::vector<called_function>& to) {
    using row = typename functions::row_at<static_cast<unsigned>(I)>::type;
    constexpr detail::row_of_table in_c = detail::rows_of_table[I];
    if constexpr (!in_c.is_formula() && !in_c.is_in_math_h()) {
        const auto add = [&](auto* f) { to.push_back({in_c.name, reinterpret_cast<void (*)()>(f)}); };
        if constexpr (in_c.arity == 1)
            add(&value_for_c<row, double>);
        else if constexpr (in_c.arity == 2)
            add(&value_for_c<row, double, double>);
        else
            add(&value_for_c<row, double, double, double>);
    }
}
struct unrecorded {
    template <class F>
    unrecorded(const F&) {
        static_assert(sizeof(F) == 0, "compile: the function is not recorded; record it first, as in "
                                      "compile(record(f, x), options)");
    }
};
} // namespace replays

/// The functions of chainrule/special_functions.hpp, which have no code in C: compiled code calls them in this program.
/// Include that header too. Example: `compile(r, {.functions = special_functions()})`
template <std::size_t Count = std::size_t{detail::row_count}>
[[nodiscard]] std::vector<called_function> special_functions() {
    std::vector<called_function> all;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (replays::add_function_without_code<I>(all), ...);
    }(std::make_index_sequence<Count>{});
    return all;
}

/// The values and derivatives of a recording in machine code, made by the compiler of the machine, which takes a
/// fraction of a second or more; a library that was made before is only loaded. Throws compile_error.
/// Example: `auto k = compile(record(f, x)); k.gradient(other)`
template <class T, class F, class Values>
[[nodiscard]] auto compile(const recorded_function<T, F, Values>& r, const compile_options& options = {}) {
    constexpr bool in_double = std::same_as<T, double>;
    static_assert(in_double, "compile: the recording does not compute in double; record at numbers of type double");
    if constexpr (in_double) return compiled_function<Values, typename replays::parts_of_function<F>::type>(r, options);
}

/// A function and a point, as for record(f, x). (Plain numbers alone: templates of a program that take anything are not
/// ambiguous with this one.)
template <class F, class... X>
requires(sizeof...(X) > 0 && (points::point<X...> || points::point_of_parts<X...>) && std::is_class_v<F> &&
         std::floating_point<points::number_of<points::listed<X...>>>)
void compile(const F& f, const X&...) {
    static_cast<void>(replays::unrecorded(f));
}
/// A function without a point. By conversion, so that functions of this name in a program go first.
inline void compile(replays::unrecorded) {}

/// Machine code is not saved: tape/save.hpp.
template <class Values, class Parts>
void save(const compiled_function<Values, Parts>&, std::ostream&) {
    static_assert(sizeof(Values) == 0, "save: the recording is compiled; save what record(f, x) returned, and compile "
                                       "what load(in) returns");
}

/// The program of a recording as the function `name` in C, with the results of `request`: chainrule/print/c.hpp. After
/// them it writes the comparisons and the numbers that the function read while it was recorded.
template <class F, class Values>
[[nodiscard]] std::string to_c(const recorded_function<double, F, Values>& r, const std::string& name = "f",
                               unsigned request = request::values | request::jacobians) {
    const detail::fault_of_name fault = detail::fault_of_name_in_c(name.c_str(), static_cast<int>(name.size()));
    if (fault == detail::fault_of_name::not_an_identifier)
        core::raise(
            std::invalid_argument("to_c: the name '" + name + "' is not a C identifier; use letters, digits and _"));
    if (fault == detail::fault_of_name::reserved)
        core::raise(std::invalid_argument("to_c: the name '" + name +
                                          "' is a keyword of C, a name of <math.h>, or one that the code uses itself; "
                                          "use another, as in 'gradient_of_f'"));
    if (request == 0 || request >= 2 * request::hessians)
        core::raise(std::invalid_argument("to_c: the request is not request::values, jacobians, hessians or a sum of "
                                          "them; write one"));
    const replays::recorded_graph graph = replays::graph_builder(r.recording().what()).take();
    return replays::text_in_c(replays::program_of(graph, request), name.c_str(), graph, request);
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
