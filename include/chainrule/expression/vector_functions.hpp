// SPDX-License-Identifier: BSL-1.0
//
// Functions of vectors: dot, squared_norm, norm, cross, as sums and products of elements; relaxed.
#pragma once

#include <chainrule/expression/vector.hpp>

namespace chainrule {

namespace expressions {

template <std::size_t Size, std::size_t Other>
consteval bool of_equal_size() {
    constexpr bool same = Size == Other;
    static_assert(same, "dot: the vectors have different sizes; use two vectors of equal size");
    return same;
}
template <std::size_t Size, std::size_t Other>
consteval bool in_space() {
    constexpr bool three = Size == 3 && Other == 3;
    static_assert(three, "cross: a vector does not have 3 elements; pass two vectors of 3 elements");
    return three;
}
template <class T>
constexpr T refused_as_vectors() {
    constexpr bool vectors = sizeof(T) == 0;
    static_assert(vectors, "dot(v, w), cross(v, w), outer(v, w), norm(v) and squared_norm(v): an argument is not a "
                           "vector, or there are too few or too many; write s * v for a number s, A * v for a matrix "
                           "A, and vector(a[0], a[1]) for an array a of numbers");
    return T();
}

} // namespace expressions

/// The scalar product v0 * w0 + v1 * w1 + ..., added from the left.
template <class A, class B>
CHAINRULE_PER_NODE auto dot(const expressions::members_of_vector<A>& v, const expressions::members_of_vector<B>& w) {
    constexpr std::size_t size{expressions::members_of_vector<A>::count};
    if constexpr (expressions::of_equal_size<size, std::size_t{expressions::members_of_vector<B>::count}>())
        return expressions::inner_product<0, 1, 0, 1, size>(v, w);
}

/// dot(v, v), the square of the norm. Of a matrix, the sum of the squares of its elements.
template <expressions::array_of_expressions V>
CHAINRULE_PER_NODE auto squared_norm(const V& v) {
    return expressions::inner_product<0, 1, 0, 1, std::size_t{V::count}>(v, v);
}

/// The Euclidean length. Its derivative at 0 is 0. For up to three elements it is abs, hypot or hypot3, which neither
/// overflow nor underflow; for more, the square root of the sum of squares. Of a matrix, the Frobenius norm.
template <expressions::array_of_expressions V>
CHAINRULE_PER_NODE auto norm(const V& v) {
    using expressions::element_at;
    constexpr std::size_t size{V::count};
    if constexpr (size == 1) {
        return abs(element_at<0>(v));
    } else if constexpr (size == 2) {
        return hypot(element_at<0>(v), element_at<1>(v));
    } else if constexpr (size == 3) {
        return hypot3(element_at<0>(v), element_at<1>(v), element_at<2>(v));
    } else {
        const auto square = squared_norm(v);
        return select(square == expressions::exact_zero{}, expressions::exact_zero{}, sqrt(square));
    }
}

/// The vector or matrix of elements whose values may be rearranged.
template <expressions::array_of_expressions V>
CHAINRULE_PER_NODE auto relaxed(const V& v) {
    return expressions::array_like<V>([&](auto i) { return relaxed(expressions::element_at<i.value>(v)); });
}

/// v if the predicate holds, else w, of two vectors or matrices of the same shape.
template <predicate P, class V, class W>
requires(expressions::array_of_expressions<V> || expressions::array_of_expressions<W>)
CHAINRULE_PER_NODE auto select(P p, V v, W w) {
    using expressions::element_at;
    constexpr bool same = expressions::alike<V, W>;
    static_assert(same,
                  "select: the arms differ in shape; use two expressions, two vectors of equal size, or two matrices "
                  "of equal shape");
    if constexpr (same)
        return expressions::array_like<V>(
            [&](auto i) { return select(p, element_at<i.value>(v), element_at<i.value>(w)); });
    else
        return expressions::exact_zero{};
}

/// The vector product of two vectors of 3 elements.
template <class A, class B>
CHAINRULE_PER_NODE auto cross(const expressions::members_of_vector<A>& v, const expressions::members_of_vector<B>& w) {
    if constexpr (expressions::in_space<std::size_t{expressions::members_of_vector<A>::count},
                                        std::size_t{expressions::members_of_vector<B>::count}>()) {
        using expressions::difference_of_elements, expressions::element_at, expressions::product_of_elements;
        const auto v0 = element_at<0>(v);
        const auto v1 = element_at<1>(v);
        const auto v2 = element_at<2>(v);
        const auto w0 = element_at<0>(w);
        const auto w1 = element_at<1>(w);
        const auto w2 = element_at<2>(w);
        return expressions::array_of<0>(
            difference_of_elements(product_of_elements(v1, w2), product_of_elements(v2, w1)),
            difference_of_elements(product_of_elements(v2, w0), product_of_elements(v0, w2)),
            difference_of_elements(product_of_elements(v0, w1), product_of_elements(v1, w0)));
    }
}

// One sentence in place of a list of candidates. (The ellipsis: expression/number_functions.hpp.)
#define CHAINRULE_OF_VECTORS(NAME)                                                                                     \
    template <class T = expressions::exact_zero>                                                                       \
    constexpr T NAME(...) {                                                                                            \
        return expressions::refused_as_vectors<T>();                                                                   \
    }
CHAINRULE_OF_VECTORS(dot)
CHAINRULE_OF_VECTORS(cross)
CHAINRULE_OF_VECTORS(outer)
CHAINRULE_OF_VECTORS(norm)
CHAINRULE_OF_VECTORS(squared_norm)
#undef CHAINRULE_OF_VECTORS

} // namespace chainrule
