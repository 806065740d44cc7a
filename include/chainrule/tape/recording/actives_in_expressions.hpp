// SPDX-License-Identifier: BSL-1.0
//
// The numbers in an expression: which are active, on which tape, and which count as plain.
#pragma once

#include <chainrule/kernel/numbers.hpp>
#include <chainrule/tape/recording/tape.hpp>

namespace chainrule::tape {

/// Whether numbers of type T are themselves on a tape for numbers of type Inner, for instance T = active<Inner>. In an
/// expression with an active<T>, an active<Inner> is then a plain number.
template <class T, class Inner>
inline constexpr bool is_recorded_as = false;
template <class T, class Inner>
inline constexpr bool is_recorded_as<active<T>, Inner> = std::same_as<T, Inner> || is_recorded_as<T, Inner>;

/// The type of the active numbers in an expression (none if there are none), their count, and whether there are other
/// active numbers, which count as plain numbers.
template <class E, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct actives_in {
    using type = kernel::none;
    enum : int { count = 0, mixed = 0 };
};
template <class T>
struct actives_in<active<T>, 0> {
    using type = T;
    enum : int { count = 1, mixed = 0 };
};
template <class E>
struct actives_in<E, 1> : actives_in<typename E::first> {};

/// Refuses an expression with numbers of two derivatives, such as active<dual<T, 4>> of hessian(f, x) and active<T> of
/// gradient(g, y) within f, where y is plain.
template <bool Nested>
consteval bool are_of_nested_derivatives() {
    static_assert(Nested, "active: numbers of two derivatives meet, and neither derivative contains the other; start "
                          "the inner derivative at numbers of the outer type T, as at std::vector{T(2.0)}");
    return true;
}

/// The type of the active numbers in an expression that was refused.
struct of_two_types {};

template <class A, class B>
consteval auto outer_type_of() {
    constexpr bool refused = std::same_as<A, of_two_types> || std::same_as<B, of_two_types>;
    constexpr bool one = std::same_as<A, B> || std::same_as<A, kernel::none> || std::same_as<B, kernel::none> ||
                         is_recorded_as<A, B> || is_recorded_as<B, A>;
    constexpr bool plain = std::floating_point<A> && std::floating_point<B>;
    static_assert(refused || one || !plain,
                  "active: an expression has active numbers of two types; convert them to one");
    static_cast<void>(are_of_nested_derivatives<refused || one || plain>());
    if constexpr (refused || !one)
        return std::type_identity<of_two_types>{};
    else
        return std::type_identity<std::conditional_t<std::same_as<A, kernel::none> || is_recorded_as<B, A>, B, A>>{};
}
// The combination for the operands of an operation.
template <class A, class B>
struct actives_of_two {
    using type = typename decltype(outer_type_of<typename A::type, typename B::type>())::type;
    enum : bool {
        by_first = std::same_as<typename A::type, type>,
        by_second = std::same_as<typename B::type, type>,
    };
    enum : int {
        count = (by_first ? int{A::count} : 0) + (by_second ? int{B::count} : 0),
        mixed = int{A::mixed} || int{B::mixed} || (!by_first && int{A::count} > 0) || (!by_second && int{B::count} > 0)
    };
};
template <class E>
struct actives_in<E, 2> : actives_of_two<actives_in<typename E::first>, actives_in<typename E::second>> {};
template <class E>
struct actives_in<E, 3> : actives_of_two<actives_of_two<actives_in<typename E::first>, actives_in<typename E::second>>,
                                         actives_in<typename E::third>> {};

/// An expression in which only the active<T> are on a tape; other active numbers are stored unchanged.
template <class T, class E, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct recorded_by {
    using type = E;
};
template <class T, class Inner>
struct recorded_by<T, active<Inner>, 0> {
    using type = std::conditional_t<std::same_as<T, Inner>, active<Inner>, typename number<active<Inner>>::node>;
};
template <class T, class E>
struct recorded_by<T, E, 1> {
    using type = expressions::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type>;
};
template <class T, class E>
struct recorded_by<T, E, 2> {
    using type = expressions::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type,
                                      typename recorded_by<T, typename E::second>::type>;
};
template <class T, class E>
struct recorded_by<T, E, 3> {
    using type = expressions::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type,
                                      typename recorded_by<T, typename E::second>::type,
                                      typename recorded_by<T, typename E::third>::type>;
};

template <class T>
struct innermost {
    using type = T;
};
template <class T>
struct innermost<active<T>> : innermost<T> {};
template <class T, class Wide>
struct wide_number {
    using type = Wide;
};
template <class T, class Wide>
requires std::is_arithmetic_v<typename innermost<Wide>::type>
struct wide_number<active<T>, active<Wide>> {
    using type = active<T>;
};
/// The number type in which an expression with active<T> is computed: that of the plain C++ expression, as double for
/// floats with a double. Where T is on a tape, it is T: a wider number cannot be on that tape.
template <class E>
using computed_in =
    typename wide_number<typename actives_in<E>::type,
                         kernel::plain_number<typename kernel::computation<core::type_list<E>>::type>>::type;

/// Stored number I of an expression, in the order in which they are written.
template <int I, class E>
CHAINRULE_PER_NODE const auto& number_at(const E& e) {
    if constexpr (int{E::arity} == 0) {
        if constexpr (expressions::is_active<E>)
            return e;
        else
            return e.value;
    } else if constexpr (I < int{E::first::numbers}) {
        return number_at<I>(e.a);
    } else if constexpr (int{E::arity} == 2) {
        return number_at<I - int{E::first::numbers}>(e.b);
    } else if constexpr (I < int{E::first::numbers} + int{E::second::numbers}) {
        return number_at<I - int{E::first::numbers}>(e.b);
    } else {
        return number_at<I - int{E::first::numbers} - int{E::second::numbers}>(e.c);
    }
}

// The numbers of an expression that are on a tape for T, and those that count as plain.
template <class T, class E, int... I>
consteval auto numbers_by_kind(std::integer_sequence<int, I...>) {
    constexpr bool is_active[] = {
        std::same_as<std::remove_cvref_t<decltype(number_at<I>(std::declval<const E&>()))>, active<T>>...};
    struct {
        int active[sizeof...(I)] = {}, plain[sizeof...(I)] = {};
    } found;
    int actives = 0, plain = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(I)); ++i)
        if (is_active[i])
            found.active[actives++] = i;
        else
            found.plain[plain++] = i;
    return found;
}

} // namespace chainrule::tape
