// SPDX-License-Identifier: BSL-1.0
//
// What does f(x = 2.0, y = 5.0) do? It runs the program of what is asked, with the values sorted by name at compile
// time.
#pragma once

#include <chainrule/expression/vector.hpp>
#include <chainrule/kernel/numbers.hpp>

namespace chainrule {

namespace kernel {

template <class T>
inline constexpr bool is_substitution = false;
template <class V, class G>
inline constexpr bool is_substitution<substitution<V, G>> = true;
template <class T>
inline constexpr bool is_binding = false;
template <class V, class T>
inline constexpr bool is_binding<binding<V, T>> = true;

/// Whether every argument of a call gives a value to a variable; says what is wrong where not.
template <class... Argument>
consteval bool all_values() {
    constexpr bool numbers = !(false || ... || is_substitution<Argument>);
    static_assert(numbers,
                  "f(...): a variable is given an expression; give it a number, or write substitute(f, x = g)");
    constexpr bool named = (true && ... && (is_binding<Argument> || is_substitution<Argument>));
    static_assert(named,
                  "f(...): an argument does not name its variable; write f(x = 2.0, y = 5.0), or use function(f, "
                  "wrt(x, y)) for values by position");
    return numbers && named;
}

/// Whether a call's arguments are right for a program; says what is wrong where they are not.
template <class Code, class... Variable>
consteval bool accepts(std::type_identity<Code>, program::type_list<Variable...>) {
    constexpr bool once = (true && ... && (program::times_in<Variable, Variable...> == 1));
    static_assert(once, "f(...): a variable is given two values; give each variable exactly one");
    constexpr bool known = !once || Code::code.unused < 0;
    static_assert(known,
                  "f(...): a value is given to a variable that does not occur in f; remove it or check its name");
    constexpr bool complete = !once || Code::code.variable_count == static_cast<int>(sizeof...(Variable));
    static_assert(complete,
                  "f(...): a variable of f is not given a value; give every variable one, as in f(x = 2.0, y = 5.0)");
    return once && known && complete;
}

/// Whether a value of E... computed with numbers of type T is one statement on a tape: all active numbers are inputs.
/// Where E itself holds active numbers, every operation of the program is a statement.
template <class T, class... E>
inline constexpr bool recorded_whole = program::is_active<T> &&
                                       (true && ... && !program::is_active<typename stored_number<E>::type>);

/// Runs a program with values by name and writes to outputs[0], outputs[1] and so on. `numbers` holds the expressions'
/// stored numbers.
template <class Code, class T, class Numbers, class Outputs, class... V, class... U>
[[gnu::always_inline]] constexpr void run_by_name(const Numbers& numbers, Outputs& outputs, binding<V, U>... given) {
    const buffer<T, sizeof...(V)> variables{{static_cast<T>(given.value)...}};
    Code::runner::template run<T>(variables, numbers, outputs);
}

} // namespace kernel

/// The value of f, computed as written, for values of its variables given by name in any order, as in
/// f(x = 2.0, y = 5.0). The type of the result is that of the same plain C++ expression.
template <class E, class... Arguments>
[[gnu::always_inline]] constexpr auto evaluate(const E& f, Arguments... arguments) {
    if constexpr (kernel::all_values<Arguments...>()) {
        using given = program::type_list<typename Arguments::variable...>;
        using code = program::compiled<program::values, 0, given, program::type_list<E>>;
        using number = typename kernel::computation<program::type_list<E>, decltype(arguments.value)...>::type;
        number result[1] = {};
        if constexpr (kernel::accepts(std::type_identity<code>{}, given{})) {
            if constexpr (kernel::recorded_whole<number, E>) {
                const kernel::buffer<number, sizeof...(Arguments)> variables{{static_cast<number>(arguments.value)...}};
                number::template record_call<program::type_list<E>, given, 1>(
                    variables, kernel::numbers_of_expression<kernel::plain_number<number>>(f), result);
            } else {
                kernel::run_by_name<code, number>(kernel::numbers_of_expression<number>(f), result, arguments...);
            }
        }
        return result[0];
    }
}

/// The values of the expressions of a vector, as a std::array, for values of their variables by name.
template <class... E, class... Arguments>
[[nodiscard, gnu::always_inline]] constexpr auto evaluate_vector(const expression_vector<E...>& f,
                                                                 Arguments... arguments) {
    if constexpr (kernel::all_values<Arguments...>()) {
        using given = program::type_list<typename Arguments::variable...>;
        using code = program::compiled<program::values, 0, given, program::type_list<E...>>;
        using number = typename kernel::computation<program::type_list<E...>, decltype(arguments.value)...>::type;
        std::array<number, sizeof...(E)> result{};
        if constexpr (kernel::accepts(std::type_identity<code>{}, given{})) {
            if constexpr (kernel::recorded_whole<number, E...>) {
                const kernel::buffer<number, sizeof...(Arguments)> variables{{static_cast<number>(arguments.value)...}};
                number::template record_call<program::type_list<E...>, given, sizeof...(E)>(
                    variables, kernel::numbers_of<kernel::plain_number<number>>(f), result);
            } else {
                kernel::run_by_name<code, number>(kernel::numbers_of<number>(f), result, arguments...);
            }
        }
        return result;
    }
}

} // namespace chainrule
