// SPDX-License-Identifier: BSL-1.0
//
// determinant, adjugate, inverse and solve for matrices up to 4 x 4, as straight-line formulas of 2 x 2 minors, each
// computed once; those of 4 x 4 matrices use Laplace's expansion by the upper and the lower two rows (D. Eberly, "The
// Laplace Expansion Theorem: Computing the Determinants and Inverses of Matrices", Geometric Tools, 2008). The formulas
// in `detail` are those of fixed_matrix, too.
#pragma once

#include <chainrule/matrices/matrix.hpp>

#include <type_traits>

namespace chainrule {

namespace detail {

// The determinant of the elements I, J over K, L.
template <std::size_t I, std::size_t J, std::size_t K, std::size_t L, class A>
CHAINRULE_PER_NODE auto minor_of(A a) {
    return difference_of_elements(product_of_elements(element_at<I>(a), element_at<L>(a)),
                                  product_of_elements(element_at<J>(a), element_at<K>(a)));
}

// x * u - y * v + z * w, and the same with opposite signs.
template <class X, class U, class Y, class V, class Z, class W>
CHAINRULE_PER_NODE auto positive_first(X x, U u, Y y, V v, Z z, W w) {
    return sum_of_elements(difference_of_elements(product_of_elements(x, u), product_of_elements(y, v)),
                           product_of_elements(z, w));
}
template <class X, class U, class Y, class V, class Z, class W>
CHAINRULE_PER_NODE auto negative_first(X x, U u, Y y, V v, Z z, W w) {
    return difference_of_elements(difference_of_elements(product_of_elements(y, v), product_of_elements(x, u)),
                                  product_of_elements(z, w));
}

// The minors of the rows 0 and 1 (`First` = 0), or 2 and 3 (`First` = 8), in the columns 01, 02, 03, 12, 13, 23.
template <std::size_t First, class A>
CHAINRULE_PER_NODE auto minors_of_two_rows(A a) {
    constexpr std::size_t f = First, s = First + 4;
    return array_like<0>(a, minor_of<f, f + 1, s, s + 1>(a), minor_of<f, f + 2, s, s + 2>(a),
                         minor_of<f, f + 3, s, s + 3>(a), minor_of<f + 1, f + 2, s + 1, s + 2>(a),
                         minor_of<f + 1, f + 3, s + 1, s + 3>(a), minor_of<f + 2, f + 3, s + 2, s + 3>(a));
}
template <class S, class T>
CHAINRULE_PER_NODE auto determinant_of_minors(S s, T t) {
    return sum_of_elements(
        difference_of_elements(
            sum_of_elements(
                sum_of_elements(difference_of_elements(product_of_elements(element_at<0>(s), element_at<5>(t)),
                                                       product_of_elements(element_at<1>(s), element_at<4>(t))),
                                product_of_elements(element_at<2>(s), element_at<3>(t))),
                product_of_elements(element_at<3>(s), element_at<2>(t))),
            product_of_elements(element_at<4>(s), element_at<1>(t))),
        product_of_elements(element_at<5>(s), element_at<0>(t)));
}
// An element of the adjugate of a 4 x 4 matrix, from the elements X, Y, Z and the minors I, J, K.
template <std::size_t X, std::size_t Y, std::size_t Z, std::size_t I, std::size_t J, std::size_t K, class A, class M>
CHAINRULE_PER_NODE auto positive_cofactor(A a, M m) {
    return positive_first(element_at<X>(a), element_at<I>(m), element_at<Y>(a), element_at<J>(m), element_at<Z>(a),
                          element_at<K>(m));
}
template <std::size_t X, std::size_t Y, std::size_t Z, std::size_t I, std::size_t J, std::size_t K, class A, class M>
CHAINRULE_PER_NODE auto negative_cofactor(A a, M m) {
    return negative_first(element_at<X>(a), element_at<I>(m), element_at<Y>(a), element_at<J>(m), element_at<Z>(a),
                          element_at<K>(m));
}

template <std::size_t Columns, class A>
CHAINRULE_PER_NODE auto small_determinant(A a) {
    if constexpr (Columns == 1)
        return element_at<0>(a);
    else if constexpr (Columns == 2)
        return minor_of<0, 1, 2, 3>(a);
    else if constexpr (Columns == 3)
        return sum_of_elements(product_of_elements(element_at<0>(a), minor_of<4, 5, 7, 8>(a)),
                               product_of_elements(element_at<1>(a), minor_of<5, 3, 8, 6>(a)),
                               product_of_elements(element_at<2>(a), minor_of<3, 4, 6, 7>(a)));
    else
        return determinant_of_minors(minors_of_two_rows<0>(a), minors_of_two_rows<8>(a));
}
template <std::size_t Columns, class A>
CHAINRULE_PER_NODE auto small_adjugate(A a) {
    if constexpr (Columns == 1) {
        return array_like<1>(a, constant_like<1>(a));
    } else if constexpr (Columns == 2) {
        return array_like<2>(a, element_at<3>(a), opposite_element(element_at<1>(a)),
                             opposite_element(element_at<2>(a)), element_at<0>(a));
    } else if constexpr (Columns == 3) {
        return array_like<3>(a, minor_of<4, 5, 7, 8>(a), minor_of<2, 1, 8, 7>(a), minor_of<1, 2, 4, 5>(a),
                             minor_of<5, 3, 8, 6>(a), minor_of<0, 2, 6, 8>(a), minor_of<2, 0, 5, 3>(a),
                             minor_of<3, 4, 6, 7>(a), minor_of<1, 0, 7, 6>(a), minor_of<0, 1, 3, 4>(a));
    } else {
        const auto s = minors_of_two_rows<0>(a);
        const auto t = minors_of_two_rows<8>(a);
        return array_like<4>(a, positive_cofactor<5, 6, 7, 5, 4, 3>(a, t), negative_cofactor<1, 2, 3, 5, 4, 3>(a, t),
                             positive_cofactor<13, 14, 15, 5, 4, 3>(a, s), negative_cofactor<9, 10, 11, 5, 4, 3>(a, s),
                             negative_cofactor<4, 6, 7, 5, 2, 1>(a, t), positive_cofactor<0, 2, 3, 5, 2, 1>(a, t),
                             negative_cofactor<12, 14, 15, 5, 2, 1>(a, s), positive_cofactor<8, 10, 11, 5, 2, 1>(a, s),
                             positive_cofactor<4, 5, 7, 4, 2, 0>(a, t), negative_cofactor<0, 1, 3, 4, 2, 0>(a, t),
                             positive_cofactor<12, 13, 15, 4, 2, 0>(a, s), negative_cofactor<8, 9, 11, 4, 2, 0>(a, s),
                             negative_cofactor<4, 5, 6, 3, 1, 0>(a, t), positive_cofactor<0, 1, 2, 3, 1, 0>(a, t),
                             negative_cofactor<12, 13, 14, 3, 1, 0>(a, s), positive_cofactor<8, 9, 10, 3, 1, 0>(a, s));
    }
}

template <class A>
consteval bool is_small_square(std::type_identity<A>) {
    constexpr std::size_t columns{A::columns}, count{A::count};
    constexpr bool square = columns * columns == count;
    static_assert(square, "determinant, adjugate, inverse, solve: the matrix is not square; pass a square one");
    static_assert(!square || columns <= 4,
                  "determinant, adjugate, inverse, solve: the matrix is larger than 4 x 4; factor it numerically, for "
                  "instance with chainrule/interop/eigen.hpp");
    return square && columns <= 4;
}

} // namespace detail

/// The determinant of a matrix up to 4 x 4.
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto determinant(const expressions::members_of_matrix<Columns, Elements>& a) {
    if constexpr (detail::is_small_square(std::type_identity<expressions::members_of_matrix<Columns, Elements>>{}))
        return detail::small_determinant<Columns>(a);
}

/// The transposed matrix of cofactors of a matrix up to 4 x 4: its product with the matrix is the determinant times the
/// identity.
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto adjugate(const expressions::members_of_matrix<Columns, Elements>& a) {
    if constexpr (detail::is_small_square(std::type_identity<expressions::members_of_matrix<Columns, Elements>>{}))
        return detail::small_adjugate<Columns>(a);
}

/// The inverse of a matrix up to 4 x 4: the adjugate times 1 / determinant. It is not finite if the determinant is 0.
template <expressions::array_of_expressions A>
CHAINRULE_PER_NODE auto inverse(const A& a) {
    using namespace detail;
    if constexpr (array_kind_of<A> == array_kind::vector)
        return refused_as_matrix<A>();
    else if constexpr (is_small_square(std::type_identity<A>{}))
        return scaled_array(indices_of<A>{}, quotient_of_elements(constant<1, 1>::node{}, determinant(a)), adjugate(a));
}

/// The solution x of A x = b for a matrix up to 4 x 4 and a vector or matrix b: the adjugate times b, times 1 /
/// determinant. It takes fewer operations than inverse(A) * b.
template <std::size_t Columns, class Elements, class B>
CHAINRULE_PER_NODE auto solve(const expressions::members_of_matrix<Columns, Elements>& a, B b) {
    using namespace detail;
    if constexpr (is_small_square(std::type_identity<expressions::members_of_matrix<Columns, Elements>>{})) {
        constexpr bool array = array_kind_of<B> != array_kind::scalar;
        static_assert(array,
                      "solve: the right-hand side is not a vector or matrix; pass one with as many rows as the matrix");
        if constexpr (array) {
            constexpr std::size_t width = B::columns == 0 ? 1 : std::size_t{B::columns};
            constexpr bool fit = std::size_t{B::count} == Columns * width;
            static_assert(
                fit,
                "solve: the right-hand side does not have one row or element per row of the matrix; pass that many");
            if constexpr (fit)
                return scaled_array(indices_of<B>{}, quotient_of_elements(constant<1, 1>::node{}, determinant(a)),
                                    adjugate(a) * b);
        }
    }
}

} // namespace chainrule
