// SPDX-License-Identifier: BSL-1.0
//
// Numbers in arrays, tuples and structs, and in these within one another: what traced code takes and returns.
#pragma once

#include <chainrule/trace/number.hpp>

#include <array>
#include <utility> // declares std::tuple; code that returns one includes <tuple>, which takes long to parse

namespace chainrule::tracing {

// Fields of aggregates
// ------------------------------------------------------------------------------------------------

struct anything {
    std::size_t number;
    template <class T>
    operator T() const;
};
template <class S, std::size_t... I>
[[nodiscard]] consteval bool has_fields(std::index_sequence<I...>) {
    return requires { S{anything{I}...}; };
}
inline constexpr std::size_t most_fields = 16;

template <class S>
struct any_base_of {
    template <class T>
    requires(std::is_base_of_v<T, S> && !std::is_same_v<T, S>)
    operator T() const;
};
/// Whether an aggregate has a base class, which is the first thing in its braces. (Its members and those of the base
/// cannot be named together.)
template <class S>
concept has_base = requires { S{any_base_of<S>{}}; };

// Without braces, each element of an array takes a value of its own.
template <class S, std::size_t... Before, std::size_t... Within, std::size_t... After>
[[nodiscard]] consteval bool takes_braces(std::index_sequence<Before...>, std::index_sequence<Within...>,
                                          std::index_sequence<After...>) {
    return requires { S{anything{Before}..., {anything{Within}...}, anything{After}...}; };
}
template <class S, std::size_t... I>
[[nodiscard]] consteval bool has_fields_in_braces(std::index_sequence<I...>) {
    return requires { S{{anything{I}}...}; };
}
/// The number of values of the field that starts with value `First` of `Count`: the braces around them leave room for
/// the others only.
template <class S, std::size_t Count, std::size_t First, std::size_t Size>
[[nodiscard]] consteval std::size_t values_of_field() {
    constexpr auto taken = []<std::size_t Others>(std::index_sequence<Others>) {
        return takes_braces<S>(std::make_index_sequence<First>{}, std::make_index_sequence<Size>{},
                               std::make_index_sequence<Others>{});
    };
    if constexpr (Size < 2 || (taken(std::index_sequence<Count - First - Size>{}) &&
                               !taken(std::index_sequence<Count - First - Size + 1>{})))
        return 1 < Size ? Size : 1;
    else
        return values_of_field<S, Count, First, Size - 1>();
}
template <class S, std::size_t Count, std::size_t First = 0>
[[nodiscard]] consteval std::size_t count_with_arrays() {
    if constexpr (First == Count)
        return 0;
    else
        return 1 + count_with_arrays<S, Count, First + values_of_field<S, Count, First, Count - First>()>();
}

/// The number of fields of an aggregate; 0 if the class is not an aggregate, has a base class, or has more than
/// most_fields, elements of arrays included.
template <class S, std::size_t Count = most_fields + 1>
[[nodiscard]] consteval std::size_t count_of_fields() {
    if constexpr (!std::is_aggregate_v<S> || std::is_array_v<S> || Count == 0)
        return 0;
    else if constexpr (Count > most_fields && has_base<S>)
        return 0;
    else if constexpr (Count > most_fields && has_fields<S>(std::make_index_sequence<Count>{}))
        return 0;
    else if constexpr (!has_fields<S>(std::make_index_sequence<Count>{}))
        return count_of_fields<S, Count - 1>();
    else if constexpr (has_fields_in_braces<S>(std::make_index_sequence<Count>{}))
        return Count;
    else
        return count_with_arrays<S, Count>();
}

// Of an instance of a template that of the instance for double: conversions to other numbers may be ambiguous.
template <class S>
inline constexpr std::size_t fields_of = count_of_fields<S>();
template <template <class, auto...> class Struct, class S, auto... N>
requires std::is_class_v<S> // not std::function<int()>
inline constexpr std::size_t fields_of<Struct<S, N...>> = count_of_fields<Struct<double, N...>>();
template <class T>
inline constexpr std::size_t fields_of<condition<T>> = 0;
template <class>
inline constexpr bool is_condition = false;
template <class T>
inline constexpr bool is_condition<condition<T>> = true;
#if defined(CHAINRULE_COMPILES_DEFAULTED_EQUALITY)
template <class T>
inline constexpr std::size_t fields_of<equality<T>> = 0;
template <class T>
inline constexpr bool is_condition<equality<T>> = true;
#undef CHAINRULE_COMPILES_DEFAULTED_EQUALITY
#endif

/// Calls f with all fields.
template <std::size_t Count, class S, class F>
constexpr decltype(auto) with_fields(S& s, const F& f) {
#define CHAINRULE_FIELDS(COUNT, ...)                                                                                   \
    if constexpr (Count == COUNT) {                                                                                    \
        auto& [__VA_ARGS__] = s;                                                                                       \
        return f(__VA_ARGS__);                                                                                         \
    } else
    CHAINRULE_FIELDS(1, a)
    CHAINRULE_FIELDS(2, a, b)
    CHAINRULE_FIELDS(3, a, b, c)
    CHAINRULE_FIELDS(4, a, b, c, d)
    CHAINRULE_FIELDS(5, a, b, c, d, e)
    CHAINRULE_FIELDS(6, a, b, c, d, e, g)
    CHAINRULE_FIELDS(7, a, b, c, d, e, g, h)
    CHAINRULE_FIELDS(8, a, b, c, d, e, g, h, i)
    CHAINRULE_FIELDS(9, a, b, c, d, e, g, h, i, j)
    CHAINRULE_FIELDS(10, a, b, c, d, e, g, h, i, j, k)
    CHAINRULE_FIELDS(11, a, b, c, d, e, g, h, i, j, k, l)
    CHAINRULE_FIELDS(12, a, b, c, d, e, g, h, i, j, k, l, m)
    CHAINRULE_FIELDS(13, a, b, c, d, e, g, h, i, j, k, l, m, n)
    CHAINRULE_FIELDS(14, a, b, c, d, e, g, h, i, j, k, l, m, n, o)
    CHAINRULE_FIELDS(15, a, b, c, d, e, g, h, i, j, k, l, m, n, o, p)
    CHAINRULE_FIELDS(16, a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q)
#undef CHAINRULE_FIELDS
    return f();
}

// Numbers in them
// -----------------------------------------------------------------------------------------------------

/// Whether R is a number, traced or plain.
template <class R>
inline constexpr bool is_output = is_traced<R> || std::is_arithmetic_v<R>;

template <class S>
concept has_elements = requires(S& s) { std::begin(s); };
// A template of its type of numbers and of sizes, with elements: a matrix with constructors.
template <class>
inline constexpr bool is_sized_range = false;
template <template <class, auto...> class Matrix, class S, auto... N>
requires(sizeof...(N) > 0 && has_elements<Matrix<S, N...>>)
inline constexpr bool is_sized_range<Matrix<S, N...>> = true;
template <class S>
concept has_parts = requires { std::tuple_size<S>::value; };

template <class R>
consteval bool are_outputs();
template <class... R>
consteval bool are_all_outputs(core::type_list<R...>) {
    return core::all_true({are_outputs<R>()..., true});
}
/// Whether R is a number, or consists of numbers.
template <class R>
consteval bool are_outputs() {
    if constexpr (is_output<R>) {
        return true;
    } else if constexpr (std::is_array_v<R>) {
        return are_outputs<std::remove_cv_t<std::remove_extent_t<R>>>();
    } else if constexpr (is_sized_range<R>) {
        return are_outputs<std::remove_cvref_t<decltype(*std::begin(std::declval<R&>()))>>();
    } else if constexpr (has_parts<R>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return core::all_true({are_outputs<std::remove_cvref_t<std::tuple_element_t<I, R>>>()..., true});
        }(std::make_index_sequence<std::tuple_size<R>::value>{});
    } else if constexpr (fields_of<R> > 0) {
        constexpr auto types = [](auto&... field) {
            return core::type_list<std::remove_cvref_t<decltype(field)>...>{};
        };
        return are_all_outputs(decltype(with_fields<fields_of<R>>(std::declval<R&>(), types)){});
    } else {
        return false;
    }
}

template <class S>
consteval bool are_fields() {
    constexpr bool known = fields_of<S> > 0;
    static_assert(known, "function<A, B>: an argument is a class with constructors, private members, a base class or "
                         "more than 16 members; make it a struct without them, or give it begin() and end()");
    return known;
}

/// Visits each number of type T, and each plain one, first to last.
template <class T, class S, class Visitor>
constexpr void for_each_number(S& s, const Visitor& visit) {
    using plain = std::remove_cv_t<S>;
    const auto each = [&](auto&... part) { (for_each_number<T>(part, visit), ...); };
    if constexpr (std::is_same_v<plain, T> || is_output<plain>)
        visit(s);
    else if constexpr (has_elements<S>)
        for (auto& element : s) for_each_number<T>(element, visit);
    else if constexpr (has_parts<plain>)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            using std::get;
            each(get<I>(s)...);
        }(std::make_index_sequence<std::tuple_size<plain>::value>{});
    else if constexpr (are_fields<plain>())
        with_fields<fields_of<plain>>(s, each);
}

// The same with another type of number
// ------------------------------------------------------------------------------------

/// S with numbers of type T in place of its own.
template <class S, class T>
struct with_numbers {
    using type = std::conditional_t<is_output<S>, T, void>;
};
template <class S, class T>
using with = typename with_numbers<S, T>::type;
template <class S, std::size_t Count, class T>
struct with_numbers<std::array<S, Count>, T> {
    using type = std::array<with<S, T>, Count>;
};
template <class... S, class T>
struct with_numbers<std::tuple<S...>, T> {
    using type = std::tuple<with<S, T>...>;
};
template <class A, class B, class T>
struct with_numbers<std::pair<A, B>, T> {
    using type = std::pair<with<A, T>, with<B, T>>;
};
template <template <class, auto...> class Struct, class S, auto... N, class T>
requires(!is_traced<Struct<S, N...>>)
struct with_numbers<Struct<S, N...>, T> {
    using type = Struct<with<S, T>, N...>;
};

/// The type of the numbers in P, if P is S with numbers of that type; else void. Of tuples the common type;
/// `uniform` is whether all have it.
template <class P, class S>
struct numbers_like {
    using type = std::conditional_t<std::is_arithmetic_v<S>, P, void>;
    static constexpr bool uniform = true;
};
template <class P, class S, std::size_t Count>
struct numbers_like<std::array<P, Count>, std::array<S, Count>> : numbers_like<P, S> {};
template <template <class, auto...> class Struct, class P, class S, auto... N>
struct numbers_like<Struct<P, N...>, Struct<S, N...>> : numbers_like<P, S> {};
template <class... Number>
struct common_numbers {
    using type = void;
    static constexpr bool uniform = true;
};
template <class... Number>
requires(true && ... && (!std::is_void_v<Number>))
struct common_numbers<Number...> {
    using type = std::common_type_t<Number...>;
    static constexpr bool uniform = (true && ... && std::is_same_v<Number, type>);
};
template <class... P, class... S>
requires(sizeof...(P) == sizeof...(S))
struct numbers_like<std::tuple<P...>, std::tuple<S...>> : common_numbers<typename numbers_like<P, S>::type...> {};
template <class P, class Q, class S, class T>
struct numbers_like<std::pair<P, Q>, std::pair<S, T>>
    : common_numbers<typename numbers_like<P, S>::type, typename numbers_like<Q, T>::type> {};

/// The count of numbers in an S.
template <class S>
[[nodiscard]] consteval int count_of_numbers() {
    S s{};
    int count = 0;
    for_each_number<double>(s, [&](const auto&) { ++count; });
    return count;
}

// Choices between them
// -----------------------------------------------------------------------------------------------------

/// A with traced numbers in place of its own, or A itself, if it is not a template of its type of numbers.
template <class A, class Number>
using traced_like = std::conditional_t<std::is_void_v<with<A, Number>>, A, with<A, Number>>;
/// Whether all numbers in an S are traced.
template <class S>
[[nodiscard]] consteval bool has_traced_numbers_only() {
    S s{};
    bool all = true;
    for_each_number<traced_number>(s, [&]<class N>(const N&) { all = all && is_traced<N>; });
    return all;
}

// Not constexpr, so that an evaluation ends here. Compilers print this line.
inline void arms_of_unequal_length() {} // select: the arms have different numbers of elements

/// The arm a if the condition holds, else b, number by number.
template <class T, class A, class B>
requires(!is_output<A> && !is_output<B> && are_outputs<A>() && are_outputs<B>() &&
         std::is_same_v<traced_like<A, number<T>>, traced_like<B, number<T>>>)
[[nodiscard]] constexpr auto select(const condition<T>& c, const A& a, const B& b) {
    using arm = traced_like<A, number<T>>;
    constexpr bool traced = has_traced_numbers_only<arm>();
    static_assert(traced, "select: a member of the arms is a plain number, which a condition cannot choose; let it be "
                          "a number of the code, as in T count");
    // A copy, where one has the type: a range may know at run time only how many elements it has.
    auto chosen = [&] {
        if constexpr (std::is_same_v<A, arm>)
            return a;
        else if constexpr (std::is_same_v<B, arm>)
            return b;
        else
            return arm{};
    }();
    core::list<number<T>> of_a, of_b;
    for_each_number<number<T>>(a, [&](const auto& x) { of_a.push_back(number<T>(x)); });
    for_each_number<number<T>>(b, [&](const auto& x) { of_b.push_back(number<T>(x)); });
    int n = 0;
    for_each_number<number<T>>(chosen, [&]<class N>(N& x) {
        if constexpr (is_traced<N>)
            if (n < of_a.count && n < of_b.count) x = N::chosen(c, of_a.items[n], of_b.items[n]);
        ++n;
    });
    if (n != of_a.count || n != of_b.count) arms_of_unequal_length();
    return chosen;
}

} // namespace chainrule::tracing

namespace chainrule {
using tracing::select; // for calls of cr::select in traced code
}
