// SPDX-License-Identifier: BSL-1.0
//
// What can be wrong with functions and their calls, as in f(x = 2.0), and the error message for each fault.
//
// Faults are types, reported by functions whose template arguments are short: compilers write out the arguments of each
// function on the way to an error. So what calls without_fault should be the function that a user calls.
#pragma once

#include <chainrule/codegen/compile.hpp>
#include <chainrule/functions/lacking_functions.hpp>

#include <concepts>

namespace chainrule::detail {

struct no_fault {};
/// A fault whose sentence stands elsewhere.
struct reported_already {};
struct argument_without_name {};
struct expression_for_variable {};
/// The base class of faults that stand in the place of an argument.
struct refused_argument {};
template <class Variable>
struct value_is_no_number {};
template <class Variable>
struct given_twice {};
template <class Variable>
struct not_given {};
/// A variable has no value, and this other one that is given does not occur: its name is perhaps misspelled.
template <class Other>
struct given_another {};
/// The variable is neither an argument nor a parameter of function().
template <class Variable>
struct not_bound {};

consteval void report(reported_already) {}
template <class Variable>
consteval void report(value_is_no_number<Variable>) {
    static_assert(Variable::has_a_number_for_its_value,
                  "f(...): the value of a variable is not a number; pass a number, as in f(x = 2.0)");
}
template <class Variable>
consteval void report(given_twice<Variable>) {
    static_assert(Variable::has_only_one_value,
                  "f(...): a variable is given two values; give each variable exactly one");
}
template <class Variable>
consteval void report(not_given<Variable>) {
    static_assert(Variable::has_a_value,
                  "f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)");
}
template <class Other>
consteval void report(given_another<Other>) {
    static_assert(Other::occurs_in_f,
                  "f(...): a variable of f has no value, and a value is given for one that does not "
                  "occur in f; check its name");
}
template <class Variable>
consteval void report(not_bound<Variable>) {
    static_assert(Variable::is_an_argument_or_a_parameter,
                  "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of them, as "
                  "in function(f, wrt(x), given(k = 0.3))");
}

/// The fault of a program that has none of its own when it runs on numbers T: a function that their class lacks. (Found
/// here, since compilers would write out what leads to the call of that function.)
template <bool IsClass>
struct faults_of_numbers {
    template <class T, class Code, class Fault>
    using of = Fault;
};
template <class T, class Code, class Fault>
consteval auto find_fault_on_numbers() {
    constexpr int missing = [] {
        if constexpr (std::same_as<Fault, no_fault> && !functions::has_own_rules<T> && !functions::are_lanes<T>) {
            for (int i = 0; i < Code::code().size; ++i) {
                const codegen::instruction step = codegen::unpack(Code::code().body[i]);
                const int row = step.what == codegen::opcode::call          ? step.function
                                : step.what == codegen::opcode::sine_cosine ? int{functions::sin::position}
                                                                            : -1;
                if (row >= 0 && row < int{graph::first_custom_function} && by_lookup::lacks<T>(row)) return row;
            }
        }
        return -1;
    }();
    if constexpr (missing >= 0)
        return functions::lacks_function<T, typename functions::row_at<static_cast<unsigned>(missing)>::type>{};
    else
        return Fault{};
}
template <>
struct faults_of_numbers<true> {
    template <class T, class Code, class Fault>
    using of = decltype(find_fault_on_numbers<T, Code, Fault>());
};
template <class T, class Code, class Fault>
using fault_on_numbers = typename faults_of_numbers<std::is_class_v<T>>::template of<T, Code, Fault>;

/// Whether there is no fault; reports it otherwise.
template <class Fault>
consteval bool without_fault() {
    constexpr bool named = !std::same_as<Fault, argument_without_name>;
    static_assert(named,
                  "f(...): an argument does not name its variable; write f(x = 2.0, y = 5.0), or use function(f, "
                  "wrt(x, y)) for values by position");
    constexpr bool numbers = !std::same_as<Fault, expression_for_variable>;
    static_assert(numbers,
                  "f(...): a variable is given an expression; give it a number, or write substitute(f, x = g)");
    constexpr bool right = std::same_as<Fault, no_fault>;
    if constexpr (!right && named && numbers) report(Fault{});
    return right;
}

} // namespace chainrule::detail
