// SPDX-License-Identifier: BSL-1.0
//
// Which type does a computation have, and how do the stored numbers of an expression reach its kernel?
#pragma once

#include <chainrule/expression/vector.hpp>
#include <chainrule/program/compile.hpp>

namespace chainrule::kernel {

/// Stands for the type of no number at all.
struct none {};

// Integers compute as double; the type of a mixed computation is that of the same plain C++ expression. A class type
// (a number-like type of the user) prevails over built-in types.
template <class A, class B>
consteval auto operator|(std::type_identity<A> a, std::type_identity<B> b) {
    if constexpr (std::same_as<A, B> || std::same_as<B, none>)
        return a;
    else if constexpr (std::same_as<A, none>)
        return b;
    else if constexpr (std::is_arithmetic_v<A> != std::is_arithmetic_v<B>)
        return std::type_identity<std::conditional_t<std::is_arithmetic_v<A>, B, A>>{};
    else
        return std::type_identity<std::common_type_t<A, B>>{};
}

template <class... T>
consteval auto join() {
    return (std::type_identity<none>{} | ... | std::type_identity<std::conditional_t<std::integral<T>, double, T>>{});
}

/// The common number type of a list, in which `none` is neutral.
template <class... T>
using common_number = typename decltype(join<T...>())::type;

/// The type of the numbers that an expression stores.
template <class E, bool = (E::numbers > 0)>
struct stored_number {
    using type = none;
};
template <class E>
    requires(E::arity == 0)
struct stored_number<E, true> {
    using type = typename E::number_type;
};
template <class E>
    requires(E::arity == 1)
struct stored_number<E, true> : stored_number<typename E::first> {};
template <class E>
    requires(E::arity == 2)
struct stored_number<E, true> {
    using type = common_number<typename stored_number<typename E::first>::type, typename stored_number<typename E::second>::type>;
};

/// The number type of a computation with values of types T in expressions E.
template <class Expressions, class... T>
struct computation;
template <class... E, class... T>
struct computation<program::type_list<E...>, T...> {
    using found = common_number<T..., typename stored_number<E>::type...>;
    using type = std::conditional_t<std::same_as<found, none>, double, found>;
};

/// Copies the stored numbers of f, in the order in which they are written, and returns the end of the copy.
template <class T, class E>
CHAINRULE_PER_NODE T* copy_numbers([[maybe_unused]] const E& f, T* to) {
    if constexpr (E::numbers == 0) {
        return to;
    } else if constexpr (E::arity == 0) {
        *to = static_cast<T>(f.value);
        return to + 1;
    } else {
        if constexpr (E::first::numbers > 0) to = copy_numbers(f.a, to);
        if constexpr (E::arity == 2)
            if constexpr (E::second::numbers > 0) to = copy_numbers(f.b, to);
        return to;
    }
}

/// Room for a known number of values, never of size zero.
template <class T, int Size>
struct buffer {
    T values[static_cast<std::size_t>(Size < 1 ? 1 : Size)];
    constexpr const T& operator[](std::size_t i) const { return values[i]; }
};

// The stored numbers of element I of a vector.
template <class T, std::size_t I, class E, bool HasNumbers>
[[gnu::always_inline]] constexpr T* copy_element([[maybe_unused]] const program::element<I, E, HasNumbers>& e, T* to) {
    if constexpr (HasNumbers)
        return copy_numbers(e.value, to);
    else
        return to;
}

/// The stored numbers of the expressions of a vector, one after the other.
template <class T, class... E>
[[gnu::always_inline]] constexpr auto numbers_of(const expression_vector<E...>& f) {
    buffer<T, (0 + ... + int{E::numbers})> numbers{};
    if constexpr ((0 + ... + int{E::numbers}) > 0)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            T* to = numbers.values;
            ((to = copy_element<T, I>(f, to)), ...);
        }(std::index_sequence_for<E...>{});
    return numbers;
}
/// The stored numbers of one expression. (Not an overload: see expression/node.hpp on concepts that fail.)
template <class T, class E>
[[gnu::always_inline]] constexpr auto numbers_of_expression([[maybe_unused]] const E& f) {
    buffer<T, int{E::numbers}> numbers{};
    if constexpr (E::numbers > 0) copy_numbers(f, numbers.values);
    return numbers;
}

} // namespace chainrule::kernel
