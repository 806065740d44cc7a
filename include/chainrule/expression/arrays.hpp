// SPDX-License-Identifier: BSL-1.0
//
// The operators of vectors and matrices, and the checks of their operands. The elements are computed by
// expression/elements.hpp. matrices/ builds on this header.
#pragma once

#include <chainrule/expression/elements.hpp>

namespace chainrule {

namespace expressions {

enum class array_kind { scalar, vector, matrix };
template <class T>
inline constexpr array_kind array_kind_of = array_kind::scalar;
template <array_of_expressions V>
inline constexpr array_kind array_kind_of<V> = std::size_t{V::columns} == 0 ? array_kind::vector : array_kind::matrix;

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

/// The vector or matrix of the shape of V whose elements are make(i), for constants i.
template <class V, class Make>
CHAINRULE_PER_NODE auto array_like(const Make& make) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return array_of<std::size_t{V::columns}>(make(std::integral_constant<std::size_t, I>{})...);
    }(indices_of<V>{});
}

/// Whether V and W are two vectors of equal size, or two matrices of equal shape.
template <class V, class W>
inline constexpr bool alike = false;
template <class V, class W>
requires(array_kind_of<V> != array_kind::scalar && array_kind_of<W> != array_kind::scalar)
inline constexpr bool alike<V, W> =
    std::size_t{V::count} == std::size_t{W::count} && std::size_t{V::columns} == std::size_t{W::columns};

template <class V, class W>
consteval bool same_shape() {
    constexpr bool known = array_kind_of<V> == array_kind_of<W>;
    static_assert(known, "v + w, v - w: the operands are not both vectors or both matrices; use two vectors or "
                         "two matrices");
    if constexpr (known) {
        constexpr bool same = alike<V, W>;
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
/// Whether W is neither a vector nor a matrix, as the divisor of one must be.
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

template <class V>
constexpr bool refused_as_comparison() {
    constexpr bool there = sizeof(V) == 0;
    static_assert(there, "v < w, v == w: vectors and matrices are not compared; compare elements, as in v[0_c] < "
                         "w[0_c]");
    return false;
}

/// The operators of vectors and matrices. Argument-dependent lookup finds them if an operand has this base class, so
/// they are not candidates for single expressions.
struct array_operators {
    using has_parts = void; // no text: print/text.hpp
    // As in `for (auto e : v)`. Compilers print these lines.
    void begin() const = delete; // for (auto e : v): each element has its own type; name them, as in auto [a, b] = v
    void end() const = delete;
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
#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    template <class V, class W>                                                                                        \
    friend constexpr bool operator SYMBOL(const V&, const W&) {                                                        \
        return refused_as_comparison<V>();                                                                             \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
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
template <array_of_expressions V>
inline constexpr bool has_own_operators<V> = true;

} // namespace expressions
} // namespace chainrule
