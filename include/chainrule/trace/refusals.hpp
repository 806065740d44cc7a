// SPDX-License-Identifier: BSL-1.0
//
// What traced code cannot do with its numbers: combine them with text or with objects of other classes. After the error
// message for one fault, its consequences are not reported.
#pragma once

#include <chainrule/expression/node.hpp>
#include <chainrule/trace/recorder.hpp>

#include <type_traits>

template <class T>
inline constexpr bool chainrule::expressions::is_traced<chainrule::tracing::number<T>> = true;

namespace chainrule::tracing {

// Once a sentence has named a fault in traced code, what follows from the fault is not reported: refuse() defines a
// function, and after_refusal() tests whether it is defined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class T>
struct refusal_key {
    friend constexpr auto defined_by_refusal(refusal_key);
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
template <class T>
struct refusal {
    friend constexpr auto defined_by_refusal(refusal_key<T>) { return true; }
};
template <class T>
consteval bool refuse() {
    return sizeof(refusal<std::conditional_t<sizeof(T*) == 0, T, void>>) == 0;
}
template <class Code, class Key = refusal_key<std::conditional_t<sizeof(Code*) == 0, Code, void>>>
consteval bool after_refusal() {
    return requires { static_cast<bool>(defined_by_refusal(Key{})); };
}

/// Whether a T beside a traced number is an error that has a sentence of its own.
template <class T>
inline constexpr bool is_text = requires { typename T::traits_type; };
template <class T>
requires(std::is_array_v<T> || std::is_pointer_v<T>)
inline constexpr bool is_text<T> = std::is_same_v<std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>, char>;

/// The operands of an operator between a traced number and an object of a class that has none: otherwise compilers
/// would list every operator. Both are conversions, so any operator of that class is a better match.
struct refused_number {
    template <class N>
    requires(is_traced<N>)
    constexpr refused_number(const N&) {}
};
template <class T>
struct refused_object {
private:
    template <class E>
    static consteval bool refused() {
        constexpr bool is_number = refuse<E>();
        static_assert(is_number, "function: the traced code computes with an object that is not a number; use its "
                                 "members, as in x * object.mass, or give its class an operator");
        return is_number;
    }

public:
    // Its default argument checks, as the body of the constructor would: g++ then names the line of the operator.
    template <class E>
    requires(std::is_class_v<E> && !is_traced<E> && !is_text<E> && !expression<E> && !functions::integral_constant<E>)
    constexpr refused_object(const E&, bool = refused<E>()) {}
};

} // namespace chainrule::tracing
