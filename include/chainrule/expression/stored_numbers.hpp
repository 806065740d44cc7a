// SPDX-License-Identifier: BSL-1.0
//
// The stored numbers of an expression as an array, and an expression from such an array. An expression has no other
// data, so for numbers of one type this is a cast; a call for each node would nest as deeply as the expression, beyond
// the 512 levels of a constant evaluation.
#pragma once

#include <chainrule/core/type_list.hpp>
#include <chainrule/expression/node.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace chainrule::expressions {

/// The types of numbers that compilers cast in constant evaluations; clang does not cast long double.
template <class T>
inline constexpr bool castable_number = std::is_same_v<T, float> || std::is_same_v<T, double>;

struct no_number {};
struct mixed_numbers {};

template <class A, class B>
struct common_stored {
    using type = std::conditional_t<std::is_same_v<A, B> || std::is_same_v<B, no_number>, A,
                                    std::conditional_t<std::is_same_v<A, no_number>, B, mixed_numbers>>;
};

/// The same of any number of types.
template <class... Number>
struct all_common_stored {
    static constexpr int place = [] {
        const bool is_number[] = {!std::is_same_v<Number, no_number>..., true};
        int i = 0;
        while (!is_number[i]) ++i;
        return i;
    }();
    using first = typename type_at<place, type_list<Number..., no_number>>::type;
    using type = std::conditional_t<all_true({(std::is_same_v<Number, first> || std::is_same_v<Number, no_number>)...}),
                                    first, mixed_numbers>;
};

/// The type of the stored numbers of E if all have the same castable one, else mixed_numbers; no_number if there are
/// none. (That of the shortcut is found first: expression/operands.hpp.)
template <class E, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct only_number {
    using type = no_number;
};
template <class E>
struct only_number<E, 0> {
    using type = std::conditional_t<castable_number<typename E::number_type>, typename E::number_type, mixed_numbers>;
};
template <class E>
struct only_number<E, 1> {
    using below = typename only_number<typename E::shortcut>::type;
    using type = typename only_number<typename E::first>::type;
};
template <class E>
struct only_number<E, 2> {
    using below = typename only_number<typename E::shortcut>::type;
    using type = typename common_stored<typename only_number<typename E::first>::type,
                                        typename only_number<typename E::second>::type>::type;
};
template <class E>
struct only_number<E, 3> {
    using below = typename only_number<typename E::shortcut>::type;
    using type = typename common_stored<typename common_stored<typename only_number<typename E::first>::type,
                                                               typename only_number<typename E::second>::type>::type,
                                        typename only_number<typename E::third>::type>::type;
};

template <class T, int Count>
using number_array = std::array<T, static_cast<std::size_t>(Count)>;

/// The numbers of an expression all of whose numbers are of type T, in the order in which they are written.
template <class T, class E>
[[nodiscard]] constexpr number_array<T, int{E::numbers}> numbers_as_array([[maybe_unused]] const E& f) {
    if constexpr (int{E::numbers} == 0)
        return {};
    else
        return __builtin_bit_cast(number_array<T, int{E::numbers}>, f);
}
// Whether E has a trivial destructor, as it has. clang declares it with those of the operands, at most to the shortcut.
template <class E, bool = (int{E::numbers} > 0 && int{E::arity} > 0)>
inline constexpr bool destructor_declared = true;
template <class E>
inline constexpr bool destructor_declared<E, true> =
    destructor_declared<typename E::shortcut> && std::is_trivially_destructible_v<E>;

/// The expression of type E with these numbers.
template <class E, class T, std::size_t Count>
[[nodiscard]] constexpr E with_numbers(const std::array<T, Count>& numbers) {
    static_assert(destructor_declared<E> && sizeof(E) == Count * sizeof(T));
    return __builtin_bit_cast(E, numbers);
}

} // namespace chainrule::expressions
