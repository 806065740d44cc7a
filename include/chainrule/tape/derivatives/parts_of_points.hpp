// SPDX-License-Identifier: BSL-1.0
//
// Points of several parts: arguments of which some are lists, and lists of lists, structs and tuples. All of their
// numbers as one list, and the same parts with other numbers.
#pragma once

#include <chainrule/core/type_list.hpp>
#include <chainrule/dual/dual.hpp>
#include <chainrule/tape/derivatives/points.hpp>
#include <chainrule/trace/shapes.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace chainrule::tape::points {

// Structs and tuples
// ---------------------------------------------------------------------------------------------------------

/// A struct that is a template of its type of numbers, and the same with other numbers.
template <class X>
struct struct_layout {
    static constexpr std::size_t fields = 0;
};
template <template <class, auto...> class Struct, class N, auto... V>
requires(number<N> && !number<Struct<N, V...>> && !list<Struct<N, V...>>)
struct struct_layout<Struct<N, V...>> {
    using number_type = N;
    static constexpr std::size_t fields = tracing::fields_of<Struct<N, V...>>;
    template <class U>
    using with = Struct<U, V...>;
};
template <class X>
inline constexpr bool is_struct = struct_layout<std::remove_cv_t<X>>::fields > 0;

/// Whether X is such a template, also if its fields cannot be parts of a point.
template <class X>
inline constexpr bool is_template_of_numbers = requires { typename struct_layout<X>::number_type; };

template <class X>
inline constexpr bool is_tuple = false;
template <class... X>
inline constexpr bool is_tuple<std::tuple<X...>> = sizeof...(X) > 0;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

// (Not a lambda: one in a declaration is another type in each file that imports the module and includes this header.)
template <template <class...> class List>
struct to_types {
    template <class... Part>
    constexpr List<std::remove_cvref_t<Part>...> operator()(Part&...) const {
        return {};
    }
};
template <class X>
using types_of_fields =
    decltype(tracing::with_fields<struct_layout<X>::fields>(std::declval<X&>(), to_types<core::type_list>{}));

/// For each field of a struct, whether its type depends on the type of numbers. The others are constants.
template <class... Field, class... Other>
consteval std::array<bool, sizeof...(Field)> are_dependent(core::type_list<Field...>, core::type_list<Other...>) {
    return {!std::is_same_v<Field, Other>...};
}
using other_number = dual<long double, 7>;
template <class X>
inline constexpr auto dependent_fields = points::are_dependent(
    types_of_fields<X>{}, types_of_fields<typename struct_layout<X>::template with<other_number>>{});

/// Calls f with the elements of a tuple, or those fields of a struct of which `Dependent` holds.
template <bool Dependent = true, class X, class F>
decltype(auto) with_parts(X& x, const F& f) {
    using plain = std::remove_cv_t<X>;
    if constexpr (is_tuple<plain>)
        return std::apply(f, x);
    else
        return tracing::with_fields<struct_layout<plain>::fields>(x, [&](auto&... field) -> decltype(auto) {
            return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
                const auto if_wanted = [](auto wanted, auto& each) {
                    if constexpr (wanted == Dependent)
                        return std::tie(each);
                    else
                        return std::tuple<>{};
                };
                return std::apply(
                    f, std::tuple_cat(if_wanted(std::bool_constant<dependent_fields<plain>[I]> {}, field)...));
            }(std::index_sequence_for<decltype(field)...>{});
        });
}

// Parts with other numbers
// ---------------------------------------------------------------------------------------------------

/// A part of a point with numbers of type U.
template <class U, class X>
struct with_numbers_of {
    using type = U;
};
template <class U, class X>
using with_numbers = typename with_numbers_of<U, X>::type;
template <class U, list X>
struct with_numbers_of<U, X> {
    using type = typename layout<X>::template with<with_numbers<U, typename layout<X>::number_type>>;
};
template <class U, class X>
requires is_struct<X>
struct with_numbers_of<U, X> {
    using type = typename struct_layout<X>::template with<U>;
};
template <class U, class... X>
struct with_numbers_of<U, std::tuple<X...>> {
    using type = std::tuple<with_numbers<U, X>...>;
};
template <class U, class A, class B>
struct with_numbers_of<U, std::pair<A, B>> {
    using type = std::pair<with_numbers<U, A>, with_numbers<U, B>>;
};

template <class X>
consteval bool is_composite();
template <class X>
consteval bool is_part() {
    if constexpr (number<X> || list_of_numbers<X>)
        return true;
    else
        return points::is_composite<X>();
}
// A field that would be another type, such as a view, refers to numbers elsewhere.
template <class... Field, class... Other>
consteval bool are_parts(core::type_list<Field...>, core::type_list<Other...>) {
    const auto is_one = []<class F, class O>(std::type_identity<F>, std::type_identity<O>) {
        if constexpr (std::is_same_v<F, O>)
            return true; // a constant
        else if constexpr (std::is_array_v<F>)
            return points::is_part<F>();
        else
            return points::is_part<F>() && std::is_same_v<with_numbers<other_number, F>, O>;
    };
    return (true && ... && is_one(std::type_identity<Field>{}, std::type_identity<Other>{}));
}
/// Whether X is a list of lists of numbers, a struct or tuple of numbers and lists, or consists of such.
template <class X>
consteval bool is_composite() {
    if constexpr (number<X>) {
        return false;
    } else if constexpr (list<X>) {
        using element = typename layout<X>::number_type;
        return !number<element> && points::is_part<element>();
    } else if constexpr (is_tuple<X>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (true && ... && points::is_part<std::tuple_element_t<I, X>>());
        }(std::make_index_sequence<std::tuple_size_v<X>>{});
    } else if constexpr (is_struct<X>) {
        using other = typename struct_layout<X>::template with<other_number>;
        return !std::is_same_v<types_of_fields<X>, types_of_fields<other>> &&
               points::are_parts(types_of_fields<X>{}, types_of_fields<other>{});
    } else {
        return false;
    }
}
/// A list of lists of numbers, as the rows of a matrix or the positions of particles, a struct or tuple of numbers and
/// lists, or a list, struct or tuple of such.
template <class X>
concept composite = points::is_composite<std::remove_cv_t<X>>();

/// A list whose elements are not lists, structs or tuples.
template <class X>
concept one_list = list<X> && !composite<X>;

/// One list, or separate numbers.
template <class... X>
inline constexpr bool point = sizeof...(X) > 0 && (true && ... && number<X>);
template <class X>
inline constexpr bool point<X> = number<X> || list_of_numbers<X>;
/// A point of several parts.
template <class... X>
inline constexpr bool point_of_parts =
    sizeof...(X) > 0 && !point<X...> && (true && ... && (number<X> || list_of_numbers<X> || composite<X>));

/// Calls visit with each number in a part, first to last.
template <class X, class Visit>
void for_each_number(const X& x, const Visit& visit) {
    if constexpr (list<X>) {
        decltype(auto) from = points::evaluated(x);
        const std::size_t size = points::size_of(from);
        for (std::size_t i = 0; i < size; ++i) points::for_each_number(points::element(from, i), visit);
    } else if constexpr (composite<X>) {
        points::with_parts(x, [&](const auto&... part) { (points::for_each_number(part, visit), ...); });
    } else {
        visit(x);
    }
}

/// A part with numbers of type U: of(x) of each number, first to last.
template <class U, class X, class Of>
[[nodiscard]] with_numbers<U, X> mapped(const X& x, const Of& of);
template <class U, class To, class From, class Of>
void map_field(To& to, const From& from, const Of& of) {
    if constexpr (std::is_array_v<From>)
        for (std::size_t i = 0; i < std::extent_v<From>; ++i) points::map_field<U>(to[i], from[i], of);
    else
        to = points::mapped<U>(from, of);
}
template <class To, class From>
void copy_field(To& to, const From& from) {
    if constexpr (std::is_array_v<From>)
        for (std::size_t i = 0; i < std::extent_v<From>; ++i) points::copy_field(to[i], from[i]);
    else
        to = from;
}
template <class U, class X, class Of>
[[nodiscard]] with_numbers<U, X> mapped(const X& x, const Of& of) {
    if constexpr (list<X>) {
        using element = with_numbers<U, typename layout<X>::number_type>;
        return points::made<element>(x, [&](const auto& each, std::size_t) { return points::mapped<U>(each, of); });
    } else if constexpr (composite<X>) {
        with_numbers<U, X> result{};
        points::with_parts(result, [&](auto&... to) {
            points::with_parts(x, [&](const auto&... from) { (points::map_field<U>(to, from, of), ...); });
        });
        if constexpr (is_struct<X>)
            points::with_parts<false>(result, [&](auto&... to) {
                points::with_parts<false>(x, [&](const auto&... from) { (points::copy_field(to, from), ...); });
            });
        return result;
    } else {
        return of(x);
    }
}

// All numbers as one list
// ----------------------------------------------------------------------------------------------------

/// How many numbers an argument has, if compilers know, and their type.
template <class X>
struct size_and_number {
    static constexpr std::size_t size = 1;
    using number = derivative_number<X>;
};
template <class... X>
struct sizes_and_numbers {
    static constexpr bool fixed = (true && ... && (size_and_number<X>::size != std::dynamic_extent));
    static constexpr std::size_t size = fixed ? (std::size_t{0} + ... + size_and_number<X>::size) : std::dynamic_extent;
    using number = std::common_type_t<typename size_and_number<X>::number...>;
};
template <list X>
struct size_and_number<X> {
    using element = size_and_number<typename layout<X>::number_type>;
    static constexpr std::size_t size = layout<X>::extent == std::dynamic_extent || element::size == std::dynamic_extent
                                            ? std::dynamic_extent
                                            : layout<X>::extent * element::size;
    using number = typename element::number;
};
template <class X>
requires(is_struct<X> || is_tuple<X>)
struct size_and_number<X> {
    using parts = decltype(points::with_parts(std::declval<X&>(), to_types<sizes_and_numbers>{}));
    static constexpr std::size_t size = parts::size;
    using number = typename parts::number;
};

/// A point as one list.
template <class... X>
struct as_list {
    using type = std::array<derivative_number<std::common_type_t<X...>>, sizeof...(X)>;
};
template <list_of_numbers X>
struct as_list<X> {
    using type = X;
};
template <class... X>
requires point_of_parts<X...>
struct as_list<X...> {
    using all = sizes_and_numbers<X...>;
    using type = std::conditional_t<all::fixed, std::array<typename all::number, all::fixed ? all::size : 0>,
                                    std::vector<typename all::number>>;
};
template <class... X>
using listed = typename as_list<X...>::type;

/// How many numbers an argument has.
template <class X>
[[nodiscard]] std::size_t size_of_argument(const X& x) {
    std::size_t size = 0;
    if constexpr (list_of_numbers<X>)
        size = points::size_of(x);
    else
        points::for_each_number(x, [&](const auto&) { ++size; });
    return size;
}

/// All arguments as one list.
template <class... X>
requires point_of_parts<X...>
[[nodiscard]] listed<X...> joined(const X&... x) {
    using T = number_of<listed<X...>>;
    listed<X...> numbers{};
    if constexpr (layout<listed<X...>>::extent == std::dynamic_extent)
        numbers.resize((std::size_t{0} + ... + points::size_of_argument(x)));
    std::size_t size = 0;
    (points::for_each_number(x, [&](const auto& each) { numbers[size++] = static_cast<T>(each); }), ...);
    return numbers;
}

/// Such a list in parts like the arguments.
template <class U, class Numbers, class... X>
[[nodiscard]] std::tuple<with_numbers<U, X>...> parts_of(const Numbers& numbers, const X&... like) {
    std::size_t place = 0;
    const auto next = [&](const auto&) -> U { return numbers[place++]; };
    return std::tuple<with_numbers<U, X>...>{points::mapped<U>(like, next)...}; // in their order
}

} // namespace chainrule::tape::points
