// SPDX-License-Identifier: BSL-1.0
//
// Lists of expressions, and the arithmetic of vectors and matrices, element by element with the operations of
// expression/operators.hpp. Exact constants 0 and 1 cost no operation. matrices/ builds on this header.
#pragma once

#include <chainrule/expression/conditional.hpp>
#include <chainrule/core/type_list.hpp>

#include <utility>

namespace chainrule {

template <class... E>
struct expression_vector;
template <std::size_t Columns, class... E>
struct expression_matrix;

namespace expressions {

// An expression and its position in a vector; the position distinguishes equal types. Without stored numbers nothing is
// stored and no object of the type is created: clang writes the name of the type of every object that it emits, and the
// name of a nested type is as long as the expression written out as a tree.
template <std::size_t I, class E, bool = (int{E::numbers} > 0)>
struct element {};
template <std::size_t I, class E>
struct element<I, E, true> {
    E value;
};

template <class Indices, class... E>
struct elements;
template <std::size_t... I, class... E>
struct elements<std::index_sequence<I...>, E...> : element<I, E>... {};

template <std::size_t I, class E>
CHAINRULE_PER_NODE E element_at(const element<I, E, false>&) {
    return {};
}
template <std::size_t I, class E>
CHAINRULE_PER_NODE E element_at(const element<I, E, true>& e) {
    return e.value;
}

template <std::size_t I, class E>
CHAINRULE_PER_NODE element<I, E> held([[maybe_unused]] E e) {
    if constexpr (int{E::numbers} > 0)
        return {e};
    else
        return {};
}
template <class Array, std::size_t... I, class... E>
CHAINRULE_PER_NODE Array array_holding(std::index_sequence<I...>, E... e) {
    return Array{{held<I>(e)...}, {}, {}};
}
/// The matrix of the given elements with that many columns, or for 0 columns the vector.
template <std::size_t Columns, class... E>
CHAINRULE_PER_NODE auto array_of(E... e) {
    using array = std::conditional_t<Columns == 0, expression_vector<E...>, expression_matrix<Columns, E...>>;
    return array_holding<array>(std::index_sequence_for<E...>{}, e...);
}

/// The value of an index such as 2_c or std::integral_constant<int, 2>, or -1.
template <class Index>
consteval int constant_index() {
    if constexpr (expression<Index>) {
        if constexpr (int{Index::arity} == 0 && int{Index::numbers} == 0 && int{Index::is_variable} == 0) {
            constexpr coefficient c = Index::value();
            if (c.exact() && c.denominator == 1 && c.numerator >= 0 && c.numerator < 65536)
                return static_cast<int>(c.numerator);
        }
    } else if constexpr (integral_constant<Index>) {
        if (Index::value >= 0) return static_cast<int>(Index::value);
    }
    return -1;
}

// Arithmetic of elements
// ------------------------------------------------------------------------------------------------

// Leaves are distinguished by their hashes, so that no template is named by the type of an element.
inline constexpr hash_value zero_hash{constant<0, 1>::node::hash}, one_hash{constant<1, 1>::node::hash},
    minus_one_hash{constant<-1, 1>::node::hash};
#define CHAINRULE_IS_CONSTANT(E, HASH) (int{E::arity} == 0 && hash_value{E::hash} == HASH)

using exact_zero = constant<0, 1>::node;

template <class Operation, class A, class B>
CHAINRULE_PER_NODE auto combined(A a, B b) {
    using result = typename binary<Operation, A, B>::node;
    if constexpr (int{result::numbers} == 0)
        return result{};
    else
        return joined<result>(a, b);
}
template <class A>
CHAINRULE_PER_NODE auto opposite_element(A a) {
    if constexpr (!expression<A>)
        return static_cast<A>(-a);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, one_hash))
        return constant<-1, 1>::node{};
    else if constexpr (CHAINRULE_IS_CONSTANT(A, minus_one_hash))
        return constant<1, 1>::node{};
    else
        return -a;
}
template <class A, class B>
CHAINRULE_PER_NODE auto sum_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a + b); // numbers: matrices/fixed_matrix.hpp
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return b;
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash))
        return a;
    else
        return combined<operations::add>(a, b);
}
template <class A, class B, class C, class... Rest>
CHAINRULE_PER_NODE auto sum_of_elements(A a, B b, C c, Rest... rest) {
    return sum_of_elements(sum_of_elements(a, b), c, rest...);
}
// Adds `Count` terms, from number `First` on, to the sum, from the left. The range is halved recursively: otherwise
// templates would nest as deep as the sum is long.
template <class Terms, std::size_t First, std::size_t Count, class Sum, class... Of>
CHAINRULE_PER_NODE auto sum_of_terms(Sum sum, const Of&... of) {
    if constexpr (Count == 0)
        return sum;
    else if constexpr (Count == 1)
        return sum_of_elements(sum, Terms::template term<First>(of...));
    else
        return sum_of_terms<Terms, First + Count / 2, Count - Count / 2>(
            sum_of_terms<Terms, First, Count / 2>(sum, of...), of...);
}
template <class A, class B>
CHAINRULE_PER_NODE auto difference_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a - b);
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return opposite_element(b);
    else
        return combined<operations::subtract>(a, b);
}
template <class A, class B>
CHAINRULE_PER_NODE auto product_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a * b);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash) || CHAINRULE_IS_CONSTANT(B, one_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash) || CHAINRULE_IS_CONSTANT(A, one_hash))
        return b;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, minus_one_hash))
        return opposite_element(b);
    else if constexpr (CHAINRULE_IS_CONSTANT(B, minus_one_hash))
        return opposite_element(a);
    else
        return combined<operations::multiply>(a, b);
}
template <class A, class B>
CHAINRULE_PER_NODE auto quotient_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a / b);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash) || CHAINRULE_IS_CONSTANT(B, one_hash))
        return a;
    else
        return combined<operations::divide>(a, b);
}

// Arithmetic of arrays
// --------------------------------------------------------------------------------------------------

enum class array_kind { scalar, vector, matrix };
template <class T>
inline constexpr array_kind array_kind_of = array_kind::scalar;
template <class... E>
inline constexpr array_kind array_kind_of<expression_vector<E...>> = array_kind::vector;
template <std::size_t Columns, class... E>
inline constexpr array_kind array_kind_of<expression_matrix<Columns, E...>> = array_kind::matrix;

template <class V>
using indices_of = std::make_index_sequence<std::size_t{V::count}>;

template <std::size_t... I, class V, class W>
CHAINRULE_PER_NODE auto array_sum(std::index_sequence<I...>, V v, W w) {
    return array_of<std::size_t{V::columns}>(sum_of_elements(element_at<I>(v), element_at<I>(w))...);
}
template <std::size_t... I, class V, class W>
CHAINRULE_PER_NODE auto array_difference(std::index_sequence<I...>, V v, W w) {
    return array_of<std::size_t{V::columns}>(difference_of_elements(element_at<I>(v), element_at<I>(w))...);
}
template <std::size_t... I, class V>
CHAINRULE_PER_NODE auto opposite_array(std::index_sequence<I...>, V v) {
    return array_of<std::size_t{V::columns}>(opposite_element(element_at<I>(v))...);
}
template <std::size_t... I, class A, class V>
CHAINRULE_PER_NODE auto scaled_array(std::index_sequence<I...>, A a, V v) {
    return array_of<std::size_t{V::columns}>(product_of_elements(a, element_at<I>(v))...);
}
template <std::size_t... I, class V, class B>
CHAINRULE_PER_NODE auto divided_array(std::index_sequence<I...>, V v, B b) {
    return array_of<std::size_t{V::columns}>(quotient_of_elements(element_at<I>(v), b)...);
}
// The sum of a[First + k * Step] * b[OtherFirst + k * OtherStep] over k.
template <std::size_t First, std::size_t Step, std::size_t OtherFirst, std::size_t OtherStep>
struct products_of_elements {
    template <std::size_t K, class A, class B>
    [[gnu::always_inline]] static constexpr auto term(const A& a, const B& b) {
        return product_of_elements(element_at<First + K * Step>(a), element_at<OtherFirst + K * OtherStep>(b));
    }
};
template <std::size_t First, std::size_t Step, std::size_t OtherFirst, std::size_t OtherStep, std::size_t Count,
          class A, class B>
CHAINRULE_PER_NODE auto inner_product(const A& a, const B& b) {
    using products = products_of_elements<First, Step, OtherFirst, OtherStep>;
    return sum_of_terms<products, 1, Count - 1>(products::template term<0>(a, b), a, b);
}
// The product of two matrices, or of a matrix and a vector: then `Columns` is 0, and the right side is one column.
template <std::size_t Columns, std::size_t... I, class A, class B>
CHAINRULE_PER_NODE auto matrix_product(std::index_sequence<I...>, A a, B b) {
    constexpr std::size_t inner{A::columns}, width = Columns == 0 ? 1 : Columns;
    return array_of<Columns>(inner_product<(I / width) * inner, 1, I % width, width, inner>(a, b)...);
}

template <class V, class W>
consteval bool same_shape() {
    constexpr bool known = array_kind_of<V> == array_kind_of<W>;
    static_assert(known, "v + w, v - w: the operands are not both vectors or both matrices; use two vectors or "
                         "two matrices");
    if constexpr (known) {
        constexpr bool same =
            std::size_t{V::count} == std::size_t{W::count} && std::size_t{V::columns} == std::size_t{W::columns};
        static_assert(
            same, "v + w, v - w: the operands have different sizes or shapes; use two vectors of equal size, or two "
                  "matrices of equal shape");
        return same;
    }
    return false;
}

/// Whether a matrix and a vector or another matrix can be multiplied.
template <class V, class W>
consteval bool factors_fit() {
    constexpr bool defined = array_kind_of<V> == array_kind::matrix;
    static_assert(defined,
                  "v * w: the left operand is a vector and the right operand is not a number; write dot(v, w), "
                  "cross(v, w) or outer(v, w) for vectors, and transpose(A) * v for v * A");
    if constexpr (defined) {
        constexpr std::size_t width{W::columns}, height = std::size_t{W::count} / (width == 0 ? 1 : width);
        constexpr bool fit = std::size_t{V::columns} == height;
        static_assert(fit, "A * B: the number of columns of A is not the number of rows or elements of B; check the "
                           "order of the factors, or transpose one");
        return fit;
    }
    return false;
}
/// Whether W is no vector or matrix, as the divisor of one must be.
template <class W>
consteval bool is_divisor() {
    constexpr bool by_number = array_kind_of<W> == array_kind::scalar;
    static_assert(by_number,
                  "v / w: the divisor is a vector or a matrix; divide by a number, or use solve(A, v) or inverse(A)");
    return by_number;
}

template <class Function, class V>
constexpr V refused_as_argument(const V& v) {
    constexpr bool there = sizeof(Function) == 0;
    static_assert(there, "sin(v), pow(v, n) and others: an argument is a vector or a matrix, but the function "
                         "takes numbers; apply it to each element, as in vector(sin(v[0_c]), sin(v[1_c]))");
    return v;
}

/// The operators of vectors and matrices. Argument-dependent lookup finds them if an operand has this base class, so
/// they are not candidates for single expressions.
struct array_operators {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_ARRAY_OPERATOR [[gnu::always_inline, gnu::gnu_inline]] friend inline constexpr auto
#else
#define CHAINRULE_ARRAY_OPERATOR [[gnu::always_inline]] friend inline constexpr auto
#endif
    template <class V, class W>
    CHAINRULE_ARRAY_OPERATOR operator+(V v, W w) {
        if constexpr (same_shape<V, W>()) return array_sum(indices_of<V>{}, v, w);
    }
    template <class V, class W>
    CHAINRULE_ARRAY_OPERATOR operator-(V v, W w) {
        if constexpr (same_shape<V, W>()) return array_difference(indices_of<V>{}, v, w);
    }
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class V>                                                                                                 \
    friend constexpr V NAME(const V& v) {                                                                              \
        return refused_as_argument<functions::NAME>(v);                                                                \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class V, class W>                                                                                        \
    friend constexpr V NAME(const V& v, const W&) {                                                                    \
        return refused_as_argument<functions::NAME>(v);                                                                \
    }
#define CHAINRULE_TERNARY(NAME, ...)
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
    template <class V>
    CHAINRULE_ARRAY_OPERATOR operator-(V v) {
        return opposite_array(indices_of<V>{}, v);
    }
    template <class V>
    CHAINRULE_ARRAY_OPERATOR operator+(V v) {
        return v;
    }
    template <class V, class W>
    CHAINRULE_ARRAY_OPERATOR operator*(V v, W w) {
        if constexpr (array_kind_of<V> == array_kind::scalar) {
            return scaled_array(indices_of<W>{}, as_operand(v), w);
        } else if constexpr (array_kind_of<W> == array_kind::scalar) {
            return scaled_array(indices_of<V>{}, as_operand(w), v);
        } else {
            if constexpr (factors_fit<V, W>()) {
                constexpr std::size_t width{W::columns}, height{V::columns};
                return matrix_product<width>(
                    std::make_index_sequence<std::size_t{V::count} / height*(width == 0 ? 1 : width)>{}, v, w);
            }
        }
    }
    template <class V, class B>
    CHAINRULE_ARRAY_OPERATOR operator/(V v, B b) {
        if constexpr (is_divisor<B>()) return divided_array(indices_of<V>{}, v, as_operand(b));
    }
    // As in expression/operators.hpp: Hana's own operators accept any other operand with one of its constants.
    template <class T, T Value, class W>
    CHAINRULE_ARRAY_OPERATOR operator*(boost::hana::integral_constant<T, Value> a, W w) {
        return scaled_array(indices_of<W>{}, as_operand(a), w);
    }
    template <class V, class T, T Value>
    CHAINRULE_ARRAY_OPERATOR operator*(V v, boost::hana::integral_constant<T, Value> b) {
        return scaled_array(indices_of<V>{}, as_operand(b), v);
    }
    template <class V, class T, T Value>
    CHAINRULE_ARRAY_OPERATOR operator/(V v, boost::hana::integral_constant<T, Value> b) {
        return divided_array(indices_of<V>{}, v, as_operand(b));
    }
#undef CHAINRULE_ARRAY_OPERATOR
};

// Prefers the operators above over operators that store a vector as a number.
template <class... E>
inline constexpr bool has_own_operators<expression_vector<E...>> = true;
template <std::size_t Columns, class... E>
inline constexpr bool has_own_operators<expression_matrix<Columns, E...>> = true;

} // namespace expressions
} // namespace chainrule
