// SPDX-License-Identifier: BSL-1.0
//
// The number type of a computation, and how stored numbers of an expression reach its kernel.
#pragma once

#include <chainrule/expression/vector.hpp>
#include <chainrule/codegen/compile.hpp>
#include <chainrule/kernel/emit.hpp>

#include <new>

namespace chainrule::kernel {

/// The neutral type: no number.
struct none {};

/// Integers, which are converted to double: including 128-bit integers, which are not std::integral without GNU
/// extensions, enumerators, as in `enum { size = 3 };`, and constants, as boost::hana::int_c<3>.
template <class T>
inline constexpr bool is_integer = std::integral<T> || functions::integral_constant<T>;
template <class T>
requires std::is_enum_v<T>
inline constexpr bool is_integer<T> = std::is_convertible_v<T, int>;
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 long_integer;
__extension__ typedef unsigned __int128 long_natural;
template <>
inline constexpr bool is_integer<long_integer> = true;
template <>
inline constexpr bool is_integer<long_natural> = true;
#endif

template <class T>
struct plain_number_of {
    using type = T;
};
template <class T>
requires(expressions::is_active<T>)
struct plain_number_of<T> {
    using type = typename T::plain_number;
};
/// The type of a number without its position on a tape.
template <class T>
using plain_number = typename plain_number_of<T>::type;

template <class A, class B, class T>
consteval auto with_actives(std::type_identity<T>) {
    return std::type_identity<typename std::conditional_t<expressions::is_active<A>, A, B>::template with_number<T>>{};
}

// Integers are converted to double; the type of a mixed computation is that of the same plain C++ expression. A class
// type (a user's number type) takes precedence over built-in types, and an active number over all others.
template <class A, class B>
consteval auto operator|(std::type_identity<A> a, std::type_identity<B> b) {
    if constexpr (std::same_as<A, B> || std::same_as<B, none>)
        return a;
    else if constexpr (std::same_as<A, none>)
        return b;
    else if constexpr (expressions::is_active<A> || expressions::is_active<B>)
        return with_actives<A, B>(std::type_identity<plain_number<A>>{} | std::type_identity<plain_number<B>>{});
    else if constexpr (std::is_arithmetic_v<A> != std::is_arithmetic_v<B>)
        return std::type_identity<std::conditional_t<std::is_arithmetic_v<A>, B, A>>{};
    else
        return std::type_identity<std::common_type_t<A, B>>{};
}

template <class... T>
consteval auto join(T... types) {
    return (std::type_identity<none>{} | ... | types);
}
template <class A, class B, class C, class D, class E, class F, class G, class H, class... T>
consteval auto join(A a, B b, C c, D d, E e, F f, G g, H h, T... further) {
    return kernel::join(a | b | c | d | e | f | g | h, further...);
}

/// The common number type of a list, in which `none` is neutral.
template <class... T>
using common_number =
    typename decltype(kernel::join(std::type_identity<std::conditional_t<is_integer<T>, double, T>>{}...))::type;

/// The type of an expression's stored numbers, and whether all have that type.
template <class E, bool = (int{E::numbers} > 0)>
struct stored_number {
    using type = none;
    enum : bool { uniform = true };
};
template <class E>
requires(int{E::arity} == 0)
struct stored_number<E, true> {
    using type = typename E::number_type;
    enum : bool { uniform = !is_integer<type> }; // an integer is converted to double
};
template <class E>
requires(int{E::arity} == 1)
struct stored_number<E, true> {
    using below = typename stored_number<typename E::shortcut>::type; // first: expression/operands.hpp
    using type = typename stored_number<typename E::first>::type;
    enum : bool { uniform = stored_number<typename E::first>::uniform };
};
template <class E>
requires(int{E::arity} == 2)
struct stored_number<E, true> {
    using below = typename stored_number<typename E::shortcut>::type;
    using first = stored_number<typename E::first>;
    using second = stored_number<typename E::second>;
    using type = common_number<typename first::type, typename second::type>;
    enum : bool {
        uniform = first::uniform && second::uniform &&
                  (std::same_as<typename first::type, typename second::type> ||
                   std::same_as<typename first::type, none> || std::same_as<typename second::type, none>)
    };
};

template <class E>
requires(int{E::arity} == 3)
struct stored_number<E, true> {
    using below = typename stored_number<typename E::shortcut>::type;
    using first = stored_number<typename E::first>;
    using second = stored_number<typename E::second>;
    using third = stored_number<typename E::third>;
    using type = common_number<typename first::type, typename second::type, typename third::type>;
    enum : bool {
        uniform = first::uniform && second::uniform && third::uniform &&
                  (std::same_as<typename first::type, type> || std::same_as<typename first::type, none>) &&
                  (std::same_as<typename second::type, type> || std::same_as<typename second::type, none>) &&
                  (std::same_as<typename third::type, type> || std::same_as<typename third::type, none>)
    };
};

/// The number type of a computation with values of types T in expressions E.
template <class Expressions, class... T>
struct computation;
template <class... E, class... T>
struct computation<core::type_list<E...>, T...> {
    using found = common_number<T..., typename stored_number<E>::type...>;
    using type = std::conditional_t<std::same_as<found, none>, double, found>;
};
template <class... T>
inline constexpr bool are_active[] = {false, bool{expressions::is_active<T>}...};
consteval bool any_of(const bool* from, const bool* end) {
    while (from != end && !*from) ++from;
    return from != end;
}
// Active numbers of one type cannot become those of another: with an active<float>, a double is a constant of its type.
// (Not by a fold: clang 16 limits them to 256 types.)
template <class... E, class... T>
requires(any_of(are_active<T...>, are_active<T...> + 1 + sizeof...(T)))
struct computation<core::type_list<E...>, T...> {
    using active = common_number<std::conditional_t<expressions::is_active<T>, T, none>...>;
    using found = common_number<T..., typename stored_number<E>::type...>;
    using type = std::conditional_t<std::is_arithmetic_v<plain_number<found>>, active, found>;
};

/// The type in which the stored numbers of expressions reach a computation with T: built-in numbers beside dual ones as
/// the type of the values.
template <class T, class Expressions>
struct number_stored_for {
    using type = T;
};
template <class T, class... E>
requires(tangent_count<T> > 0)
struct number_stored_for<T, core::type_list<E...>> {
    using found = common_number<typename stored_number<E>::type...>;
    using type = std::conditional_t<std::same_as<found, none> || std::is_arithmetic_v<found>, decltype(T::value), T>;
};

/// Copies numbers, one after the other.
template <class T>
struct number_copy {
    T* to;
    template <class N>
    CHAINRULE_STEP constexpr void operator()(const N& number) {
        *to++ = expressions::number_as<T>(number);
    }
};

/// Storage for a fixed number of values, never of size zero.
template <class T, int Size>
struct buffer {
    T values[static_cast<std::size_t>(Size < 1 ? 1 : Size)];
    constexpr const T& operator[](std::size_t i) const { return values[i]; }
    constexpr simd::stretch<const T> in_order(std::size_t i, std::size_t) const { return {values + i}; }
    constexpr void refresh() {}
};

// The stored numbers of element I of a vector.
template <std::size_t I, class T, class E, bool HasNumbers>
CHAINRULE_STEP constexpr void copy_element([[maybe_unused]] const expressions::element<I, E, HasNumbers>& e,
                                           [[maybe_unused]] number_copy<T>& copy) {
    if constexpr (HasNumbers) expressions::for_each_number(e.value, copy);
}

// Stored numbers that are read in place, when they are used: a copy would occupy registers, or be stored and reloaded.
// Constant evaluation needs the copy.
template <class T, int Size>
struct numbers_in_place {
    const void* first;
    buffer<T, Size> copy;
    CHAINRULE_STEP constexpr T operator[](std::size_t i) const {
        if (__builtin_is_constant_evaluated()) return copy[i];
        return *in_order(i, 1).first;
    }
    CHAINRULE_STEP constexpr simd::stretch<const T> in_order(std::size_t i, std::size_t) const {
        return {std::launder(reinterpret_cast<const T*>(static_cast<const char*>(first) + i * sizeof(T)))};
    }
    CHAINRULE_STEP constexpr void refresh() { forget(first); }
};

/// How many numbers the expressions of a list store.
template <class... E>
[[nodiscard]] consteval int count_of_numbers(core::type_list<E...>) {
    return core::sum_of({int{E::numbers}..., 0});
}

// Whether the numbers of f have the layout of an array of T: an expression stores nothing but its numbers, in order.
// (clang cannot read the bytes of a long double in a constant expression.)
template <class T, class F, class List>
inline constexpr bool are_contiguous = false;
template <class T, class F, class... E>
inline constexpr bool are_contiguous<T, F, core::type_list<E...>> =
    (std::same_as<T, float> || std::same_as<T, double>) &&
    sizeof(F) == static_cast<std::size_t>(count_of_numbers(core::type_list<E...>{})) * sizeof(T) &&
    core::all_true({(bool{stored_number<E>::uniform} &&
                     (int{E::numbers} == 0 || std::same_as<typename stored_number<E>::type, T>))...,
                    true});

// Numbers that lie in order.
template <class T, int Size, class F>
CHAINRULE_STEP constexpr numbers_in_place<T, Size> in_place(const F& f) {
    numbers_in_place<T, Size> numbers;
    numbers.first = &f;
    // (Not copied one by one, by calls that nest as deeply as the expression.)
    if (__builtin_is_constant_evaluated()) numbers.copy = __builtin_bit_cast(buffer<T, Size>, f);
    return numbers;
}

/// The stored numbers of the expressions of a vector, one after the other.
template <class T, class Elements>
CHAINRULE_STEP constexpr auto numbers_of([[maybe_unused]] const expressions::members_of_vector<Elements>& f) {
    using vector = expressions::members_of_vector<Elements>;
    constexpr int size = count_of_numbers(typename vector::list{});
    if constexpr (size > 0 && are_contiguous<T, vector, typename vector::list>) {
        return kernel::in_place<T, size>(f);
    } else {
        buffer<T, size> numbers{};
        [[maybe_unused]] number_copy<T> copy{numbers.values};
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            [[maybe_unused]] const int copied[] = {0, (copy_element<I>(f, copy), 0)...};
        }(expressions::indices_of<vector>{});
        return numbers;
    }
}
/// The stored numbers of one expression. (Not an overload: see expression/node.hpp on concepts that fail.)
template <class T, class E>
CHAINRULE_STEP constexpr auto numbers_of_expression([[maybe_unused]] const E& f) {
    constexpr int size = E::numbers;
    if constexpr (size > 0 && are_contiguous<T, E, core::type_list<E>>) {
        return kernel::in_place<T, size>(f);
    } else {
        buffer<T, size> numbers{};
        [[maybe_unused]] number_copy<T> copy{numbers.values};
        if constexpr (size > 0) expressions::for_each_number(f, copy);
        return numbers;
    }
}

} // namespace chainrule::kernel
