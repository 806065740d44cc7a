// SPDX-License-Identifier: BSL-1.0
//
// Expressions, vectors and results as data of Boost.Hana: an expression is a Foldable of its operands, a vector is a
// Sequence, and a gradient is a Foldable of pairs (variable, derivative), which hana::to_map makes a map. Expressions
// are keys of maps, and maps from variables to numbers are points. The headers of the compiler include only forward
// declarations of Hana.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/hana/points.hpp>
#include <chainrule/symbolic/gradient.hpp>

#include <boost/hana/bool.hpp>
#include <boost/hana/concept/sequence.hpp>
#include <boost/hana/core/make.hpp>
#include <boost/hana/core/tag_of.hpp>
#include <boost/hana/core/when.hpp>
#include <boost/hana/equal.hpp>
#include <boost/hana/fwd/at.hpp>
#include <boost/hana/fwd/drop_front.hpp>
#include <boost/hana/fwd/is_empty.hpp>
#include <boost/hana/hash.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace chainrule {

/// The tag of expressions and of conditions in Boost.Hana.
struct expression_tag;
/// The tag of vectors of expressions.
struct vector_tag;
/// The tag of results that are indexed by variables: gradients, as expressions and as numbers, and the rows of
/// Jacobians.
struct gradient_tag;

/// The variable of a string of Boost.Hana: variable_named(BOOST_HANA_STRING("x")) is variable<"x">.
template <char... Characters>
[[nodiscard]] constexpr auto variable_named(boost::hana::string<Characters...>) {
    return typename symbol<boost::hana::string<Characters...>>::node{};
}

namespace detail {

template <class V, class Derivative>
[[nodiscard]] constexpr auto pair_of(V v, const Derivative& derivative) {
    return boost::hana::make_pair(v, derivative);
}

template <class Gradient, class Function, class... V>
[[nodiscard]] constexpr decltype(auto) unpacked_gradient(const Gradient& gradient, Function&& f,
                                                         core::type_list<V...>) {
    return std::forward<Function>(f)(pair_of(V{}, gradient[V{}])...);
}

} // namespace detail
} // namespace chainrule

namespace boost::hana {

template <class E>
struct tag_of<E, when<chainrule::expression<E>>> {
    using type = chainrule::expression_tag;
};
template <class P>
struct tag_of<P, when<chainrule::predicate<P>>> {
    using type = chainrule::expression_tag;
};
template <class... E>
struct tag_of<chainrule::expression_vector<E...>> {
    using type = chainrule::vector_tag;
};
template <int Size, chainrule::core::hash_value Hash>
struct tag_of<chainrule::long_vector<Size, Hash>> {
    using type = chainrule::vector_tag;
};
template <class T, class Variables>
struct tag_of<chainrule::keyed<T, Variables>> {
    using type = chainrule::gradient_tag;
};
template <class T, class Variables>
struct tag_of<chainrule::keyed_with_value<T, Variables>> {
    using type = chainrule::gradient_tag;
};
template <class E, class Variables, bool WithValue>
struct tag_of<chainrule::gradient_of<E, Variables, WithValue>> {
    using type = chainrule::gradient_tag;
};

// Expressions. Equality is that of structure; stored numbers are not compared, as in chainrule::same().

template <>
struct equal_impl<chainrule::expression_tag, chainrule::expression_tag> {
    template <class A, class B>
    static constexpr auto apply(const A&, const B&) {
        return bool_c<std::same_as<A, B>>;
    }
};
template <>
struct hash_impl<chainrule::expression_tag> {
    // Maps deduce places of keys from base classes, where g++ 14 does not tell types of expressions apart, but numbers.
    template <chainrule::core::hash_value Hash, class E>
    struct key {};
    template <class E>
    static constexpr auto apply(const E&) {
        return type_c<key<E::hash, E>>;
    }
};
template <>
struct unpack_impl<chainrule::expression_tag> {
    template <class E, class F>
    static constexpr decltype(auto) apply(const E& e, F&& f) {
        using namespace chainrule::expressions;
        if constexpr (int{E::arity} == 0)
            return std::forward<F>(f)();
        else if constexpr (int{E::arity} == 1)
            return std::forward<F>(f)(first_of(e));
        else if constexpr (int{E::arity} == 2)
            return std::forward<F>(f)(first_of(e), second_of(e));
        else
            return std::forward<F>(f)(first_of(e), second_of(e), third_of(e));
    }
};
template <>
struct length_impl<chainrule::expression_tag> {
    template <class E>
    static constexpr auto apply(const E&) {
        return size_c<std::size_t{int{E::arity}}>;
    }
};

// Vectors.

template <>
struct Sequence<chainrule::vector_tag> {
    static constexpr bool value = true;
};
template <>
struct make_impl<chainrule::vector_tag> {
    template <class... E>
    static constexpr auto apply(const E&... e) {
        constexpr bool expressions = (true && ... &&
                                      (chainrule::expression<E> || chainrule::expressions::storable<E> ||
                                       chainrule::expressions::integral_constant<E>));
        static_assert(expressions, "hana: an element of a vector would not be an expression; make it a tuple first, as "
                                   "in hana::transform(hana::to_tuple(v), f)");
        if constexpr (expressions)
            return chainrule::expressions::array_of<0>(chainrule::expressions::as_operand(e)...);
        else
            return chainrule::expression_vector<>{};
    }
};
template <>
struct unpack_impl<chainrule::vector_tag> {
    template <class... E, class F>
    static constexpr decltype(auto) apply(const chainrule::expression_vector<E...>& v, F&& f) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
            return std::forward<F>(f)(v.template get<I>()...);
        }(std::index_sequence_for<E...>{});
    }
};
template <>
struct length_impl<chainrule::vector_tag> {
    template <class... E>
    static constexpr auto apply(const chainrule::expression_vector<E...>&) {
        return size_c<sizeof...(E)>;
    }
};
template <>
struct at_impl<chainrule::vector_tag> {
    template <class Vector, class Index>
    static constexpr auto apply(const Vector& v, const Index&) {
        return v.template get<std::size_t{Index::value}>();
    }
};
template <>
struct is_empty_impl<chainrule::vector_tag> {
    template <class... E>
    static constexpr auto apply(const chainrule::expression_vector<E...>&) {
        return bool_c < sizeof...(E) == 0 > ;
    }
};
template <>
struct drop_front_impl<chainrule::vector_tag> {
    template <class... E, class Count>
    static constexpr auto apply(const chainrule::expression_vector<E...>& v, const Count&) {
        constexpr std::size_t dropped =
            std::size_t{Count::value} < sizeof...(E) ? std::size_t{Count::value} : sizeof...(E);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::expressions::array_of<0>(v.template get<dropped + I>()...);
        }(std::make_index_sequence<sizeof...(E) - dropped>{});
    }
};

// Gradients.

template <>
struct unpack_impl<chainrule::gradient_tag> {
    template <class T, class Variables, class F>
    static constexpr decltype(auto) apply(const chainrule::keyed<T, Variables>& gradient, F&& f) {
        return chainrule::detail::unpacked_gradient(gradient, std::forward<F>(f),
                                                    chainrule::expressions::long_list<Variables>{});
    }
    template <class E, class Variables, bool WithValue, class F>
    static constexpr decltype(auto) apply(const chainrule::gradient_of<E, Variables, WithValue>& gradient, F&& f) {
        return chainrule::detail::unpacked_gradient(gradient, std::forward<F>(f),
                                                    chainrule::expressions::long_list<Variables>{});
    }
};

} // namespace boost::hana

#include <chainrule/core/names_end.inc>
