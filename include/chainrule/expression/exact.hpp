// SPDX-License-Identifier: BSL-1.0
//
// exact<f>: turns the stored numbers of a constexpr expression into exact constants. A constexpr expression can be a
// template argument, and so can its numbers.
#pragma once

#include <chainrule/expression/operators.hpp>
#include <chainrule/expression/stored_numbers.hpp>

namespace chainrule {

namespace expressions {

/// A stored number as an exact constant, if possible: infinities, NaNs and -0.0 do not follow the rules of the
/// optimiser, and numbers of class type are not inspected.
struct exact_number {
    coefficient value;
    bool exact = false;
};

template <std::integral T>
requires(sizeof(T) <= sizeof(std::uint64_t))
[[nodiscard]] constexpr exact_number exact_constant(T number) {
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<integer>::max());
    const auto magnitude = number < T{} ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    if (magnitude <= limit) return {static_cast<integer>(number), true};
    const coefficient c = double_word::nearest(magnitude);
    return {number < T{} ? -c : c, true};
}
template <std::floating_point T>
[[nodiscard]] constexpr exact_number exact_constant(T number) {
    if (number == 0) return {coefficient(0), !(std::bit_cast<hash_value>(static_cast<double>(number)) >> 63)};
    // An integer over a power of two, if both fit in 64 bits.
    constexpr T limit = static_cast<T>(0x1p63);
    T scaled = number;
    integer denominator = 1;
    while (-limit < scaled && scaled < limit) {
        const auto numerator = static_cast<integer>(scaled);
        if (static_cast<T>(numerator) == scaled) return {coefficient::fraction(numerator, denominator), true};
        if (denominator > std::numeric_limits<integer>::max() / 2) break;
        denominator *= 2;
        scaled *= 2;
    }
    constexpr double most = std::numeric_limits<double>::max();
    if (!(-static_cast<T>(most) <= number && number <= static_cast<T>(most))) return {};
    const auto word = double_word::nearest(number);
    return {word, word.hi != 0 && static_cast<T>(word.hi) + static_cast<T>(word.lo) == number};
}
template <class T>
[[nodiscard]] constexpr exact_number exact_constant(T) {
    return {};
}

struct exact_numbers {
    exact_number* to;
    template <class N>
    constexpr void operator()(const N& number) {
        *to++ = exact_constant(number);
    }
};

template <auto F>
using stored_in = typename only_number<std::remove_cv_t<decltype(F)>>::type;

/// The stored numbers of the constant F.
template <auto F>
struct numbers_of_constant {
private:
    struct list_type {
        exact_number values[decltype(F)::numbers];
    };
    static constexpr list_type all() {
        list_type result{};
        if constexpr (castable_number<stored_in<F>>) {
            const auto numbers = numbers_as_array<stored_in<F>>(F);
            for (std::size_t i = 0; i < numbers.size(); ++i) result.values[i] = exact_constant(numbers[i]);
        } else {
            exact_numbers numbers{result.values};
            for_each_number(F, numbers);
        }
        return result;
    }

public:
    static constexpr list_type list = all();
};

/// The constant of a number, as template arguments: a function of F would have a name as long as the numbers of F.
template <integer Numerator, integer Denominator, hash_value High, hash_value Low>
struct number_as_constant : constant<Numerator, Denominator> {};
template <hash_value High, hash_value Low>
struct number_as_constant<0, 0, High, Low> : real_constant<High, Low> {};
template <class Numbers, int I>
struct constant_at {
    static constexpr coefficient c = Numbers::list.values[I].value; // not a reference: nvcc would initialise it twice
    using type = typename number_as_constant<c.exact() ? c.numerator : 0, c.denominator,
                                             c.exact() ? 0 : std::bit_cast<hash_value>(c.high),
                                             c.exact() ? 0 : std::bit_cast<hash_value>(c.low)>::node;
};

/// The number of stored numbers of E before those of its shortcut (expression/operands.hpp).
template <class E, int Arity = int{E::arity}>
struct place_of_deeper {
    enum : int { value = 0 };
    using type = typename E::first;
};
template <class E>
struct place_of_deeper<E, 2> {
    using type = typename E::deeper;
    enum : int { value = std::is_same_v<type, typename E::first> ? 0 : int{E::first::numbers} };
};
template <class E>
struct place_of_deeper<E, 3> {
    using type = typename E::deeper;
    enum : int {
        value = std::is_same_v<type, typename E::first>    ? 0
                : std::is_same_v<type, typename E::second> ? int{E::first::numbers}
                                                           : int{E::first::numbers} + int{E::second::numbers}
    };
};
template <class E, bool Here = int{place_of_deeper<E>::type::depth} % 24 == 0>
struct position_of_shortcut {
    enum : int { value = place_of_deeper<E>::value };
};
template <class E>
struct position_of_shortcut<E, false> {
    enum : int {
        value = int{place_of_deeper<E>::value} + int{position_of_shortcut<typename place_of_deeper<E>::type>::value}
    };
};

// The type E with its stored numbers, from number `First` on, replaced by exact constants.
template <class Numbers, class E, int First, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct exact_node {
    using type = E;
};
template <class Numbers, class E, int First, bool = Numbers::list.values[First].exact>
struct exact_leaf {
    using type = E;
};
template <class Numbers, class E, int First>
struct exact_leaf<Numbers, E, First, true> : constant_at<Numbers, First> {};
template <class Numbers, class E, int First>
using exact_landing =
    typename exact_node<Numbers, typename E::shortcut, First + int{position_of_shortcut<E>::value}>::type;

template <class Numbers, class E, int First>
struct exact_node<Numbers, E, First, 0> : exact_leaf<Numbers, E, First> {};
template <class Numbers, class E, int First>
struct exact_node<Numbers, E, First, 1> {
    using below = exact_landing<Numbers, E, First>;
    using type = node_of<typename E::operation, typename exact_node<Numbers, typename E::first, First>::type>;
};
template <class Numbers, class E, int First>
struct exact_node<Numbers, E, First, 2> {
    using below = exact_landing<Numbers, E, First>;
    using type = node_of<typename E::operation, typename exact_node<Numbers, typename E::first, First>::type,
                         typename exact_node<Numbers, typename E::second, First + int{E::first::numbers}>::type>;
};
template <class Numbers, class E, int First>
struct exact_node<Numbers, E, First, 3> {
    enum : int { second = First + int{E::first::numbers}, third = second + int{E::second::numbers} };
    using below = exact_landing<Numbers, E, First>;
    using type = node_of<typename E::operation, typename exact_node<Numbers, typename E::first, First>::type,
                         typename exact_node<Numbers, typename E::second, second>::type,
                         typename exact_node<Numbers, typename E::third, third>::type>;
};

// The object of that type: the other numbers remain stored.
template <class Numbers, int First, class E>
[[nodiscard]] constexpr auto with_exact_numbers(const E& f) {
    using type = typename exact_node<Numbers, E, First>::type;
    if constexpr (int{type::numbers} == 0) {
        return type{};
    } else if constexpr (int{E::arity} == 0) {
        return f;
    } else if constexpr (int{E::arity} == 1) {
        return type{{with_exact_numbers<Numbers, First>(f.a)}};
    } else if constexpr (int{E::arity} == 3) {
        constexpr int second = First + int{E::first::numbers}, third = second + int{E::second::numbers};
        type result{};
        if constexpr (exact_node<Numbers, typename E::first, First>::type::numbers > 0)
            result.a = with_exact_numbers<Numbers, First>(f.a);
        if constexpr (exact_node<Numbers, typename E::second, second>::type::numbers > 0)
            result.b = with_exact_numbers<Numbers, second>(f.b);
        if constexpr (exact_node<Numbers, typename E::third, third>::type::numbers > 0)
            result.c = with_exact_numbers<Numbers, third>(f.c);
        return result;
    } else {
        constexpr int second = First + int{E::first::numbers};
        using a = typename exact_node<Numbers, typename E::first, First>::type;
        using b = typename exact_node<Numbers, typename E::second, second>::type;
        if constexpr (int{a::numbers} == 0)
            return type{{with_exact_numbers<Numbers, second>(f.b)}};
        else if constexpr (int{b::numbers} == 0)
            return type{{with_exact_numbers<Numbers, First>(f.a)}};
        else
            return type{{with_exact_numbers<Numbers, First>(f.a), with_exact_numbers<Numbers, second>(f.b)}};
    }
}

// The same if all numbers have a type that can be cast.
template <class Numbers, class T, class E>
[[nodiscard]] constexpr auto with_exact_numbers_cast(const E& f) {
    using type = typename exact_node<Numbers, E, 0>::type;
    if constexpr (int{type::numbers} == 0) {
        return type{};
    } else {
        const auto all = numbers_as_array<T>(f);
        number_array<T, int{type::numbers}> rest{};
        std::size_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!Numbers::list.values[i].exact) rest[kept++] = all[i];
        return with_numbers<type>(rest);
    }
}

template <auto F>
constexpr auto with_all_numbers_exact() {
    if constexpr (decltype(F)::numbers == 0)
        return F;
    else if constexpr (castable_number<stored_in<F>>)
        return with_exact_numbers_cast<numbers_of_constant<F>, stored_in<F>>(F);
    else
        return with_exact_numbers<numbers_of_constant<F>, 0>(F);
}

} // namespace expressions

/// The expression F, which is a constexpr variable, with each stored number replaced by the exact constant of its
/// value, as if written with _c, and so known to the optimiser. 0.1 becomes the value of the double nearest to one
/// tenth, while 0.1_c is one tenth. Values are the same, but their type follows from the values of the variables alone,
/// and a power with an integer exponent becomes a product. Infinities, NaNs, -0.0 and numbers of class type remain
/// stored.
/// Example: `constexpr auto f = 2.0 * x * 3.0; static_assert(same(derivative(exact<f>, x), 6_c));`
template <auto F>
requires expression<decltype(F)>
inline constexpr auto exact = expressions::with_all_numbers_exact<F>();

/// The old name of exact.
template <auto F>
requires expression<decltype(F)>
[[deprecated("write exact<f>")]] inline constexpr auto known = exact<F>;

} // namespace chainrule
