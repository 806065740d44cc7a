// SPDX-License-Identifier: BSL-1.0
//
// Rotations in space, given by a rotation vector, an axis and an angle, or a quaternion; as a matrix, or applied to a
// vector. They use Rodrigues' formula. If the angle is a length, as for a rotation vector, it is written with
// sinc(angle) = sin(angle) / angle, so value, first and second derivatives are correct at the angle 0 too.
#pragma once

#include <chainrule/matrices/matrix.hpp>

namespace chainrule {

namespace detail {

template <class... V>
consteval bool in_space() {
    constexpr bool vectors = (true && ... && (array_kind_of<V> == array_kind::vector));
    static_assert(vectors,
                  "rotation: an argument is not a vector; pass vectors of 3 elements, or of 4 for a quaternion");
    if constexpr (vectors) {
        constexpr bool three = (true && ... && (std::size_t{V::count} == 3));
        static_assert(
            three,
            "rotation: a vector does not have 3 elements; pass vectors of 3 elements (a quaternion has 4: w, x, y, z)");
        return three;
    }
    return false;
}

// The matrix with this diagonal and the off-diagonal elements of v q^T + [s]x, where [s]x w = cross(s, w).
template <class V, class Q, class S, class X, class Y, class Z>
CHAINRULE_PER_NODE auto rotation_with_diagonal(V v, Q q, S s, X xx, Y yy, Z zz) {
    const auto y = element_at<1>(v);
    const auto z = element_at<2>(v);
    const auto xy = product_of_elements(element_at<0>(q), y);
    const auto xz = product_of_elements(element_at<0>(q), z);
    const auto yz = product_of_elements(element_at<1>(q), z);
    return array_of<3>(xx, difference_of_elements(xy, element_at<2>(s)), sum_of_elements(xz, element_at<1>(s)),
                       sum_of_elements(xy, element_at<2>(s)), yy, difference_of_elements(yz, element_at<0>(s)),
                       difference_of_elements(xz, element_at<1>(s)), sum_of_elements(yz, element_at<0>(s)), zz);
}

// diagonal * identity + sine * [v]x + square * v v^T.
template <class V, class D, class S, class Q>
CHAINRULE_PER_NODE auto rotation_of_parts(V v, D diagonal, S sine, Q square) {
    const auto q = v * square;
    return rotation_with_diagonal(v, q, v * sine,
                                  sum_of_elements(diagonal, product_of_elements(element_at<0>(q), element_at<0>(v))),
                                  sum_of_elements(diagonal, product_of_elements(element_at<1>(q), element_at<1>(v))),
                                  sum_of_elements(diagonal, product_of_elements(element_at<2>(q), element_at<2>(v))));
}

// identity + sine * [v]x + square * [v]x [v]x.
template <class V, class S, class Q>
CHAINRULE_PER_NODE auto rotation_from_identity(V v, S sine, Q square) {
    const auto q = v * square;
    const auto xx = product_of_elements(element_at<0>(q), element_at<0>(v));
    const auto yy = product_of_elements(element_at<1>(q), element_at<1>(v));
    const auto zz = product_of_elements(element_at<2>(q), element_at<2>(v));
    const constant<1, 1>::node one{};
    return rotation_with_diagonal(v, q, v * sine, difference_of_elements(one, sum_of_elements(yy, zz)),
                                  difference_of_elements(one, sum_of_elements(xx, zz)),
                                  difference_of_elements(one, sum_of_elements(xx, yy)));
}

// sin(angle) / angle and (1 - cos(angle)) / angle^2, which is half the square of sinc(angle / 2).
template <class A>
CHAINRULE_PER_NODE auto half_squared_sinc(A angle) {
    const typename constant<1, 2>::node half{};
    const auto s = sinc(angle * half);
    return half * (s * s);
}

} // namespace detail

/// The rotation matrix of a rotation vector, which points along the axis and whose length is the angle in radians; or
/// of a quaternion, a vector of four elements w, x, y, z with any length except 0. For a rotation vector, value, first
/// and second derivatives are correct for every angle, including 0.
template <class... W>
CHAINRULE_PER_NODE auto rotation(expression_vector<W...> w) {
    using namespace detail;
    if constexpr (sizeof...(W) == 4) {
        const auto u = array_of<0>(element_at<1>(w), element_at<2>(w), element_at<3>(w));
        const auto scale = typename constant<2, 1>::node{} / squared_norm(w);
        return rotation_from_identity(u, product_of_elements(scale, element_at<0>(w)), scale);
    } else if constexpr (in_space<expression_vector<W...>>()) {
        const auto angle = norm(w);
        return rotation_from_identity(w, sinc(angle), half_squared_sinc(angle));
    }
}

/// The matrix of a rotation about an axis, a vector of length 1, by an angle in radians, counter-clockwise when the
/// axis points at the viewer.
template <class Axis, class Angle>
CHAINRULE_PER_NODE auto rotation(Axis axis, Angle angle) {
    using namespace detail;
    if constexpr (in_space<Axis>()) {
        const auto cosine = cos(as_operand(angle));
        return rotation_of_parts(axis, cosine, sin(as_operand(angle)), constant<1, 1>::node{} - cosine);
    }
}

/// v rotated by a rotation vector or a quaternion: rotation(w) * v in fewer operations.
template <class V, class... W>
CHAINRULE_PER_NODE auto rotate(V v, expression_vector<W...> w) {
    using namespace detail;
    if constexpr (sizeof...(W) == 4) {
        if constexpr (in_space<V>()) {
            const auto u = array_of<0>(element_at<1>(w), element_at<2>(w), element_at<3>(w));
            const auto t = (typename constant<2, 1>::node{} / squared_norm(w)) * cross(u, v);
            return v + element_at<0>(w) * t + cross(u, t);
        }
    } else if constexpr (in_space<V, expression_vector<W...>>()) {
        const auto angle = norm(w);
        const auto moved = cross(w, v);
        return v + sinc(angle) * moved + half_squared_sinc(angle) * cross(w, moved);
    }
}

/// v rotated about an axis, a vector of length 1, by an angle: rotation(axis, angle) * v in fewer operations.
template <class V, class Axis, class Angle>
CHAINRULE_PER_NODE auto rotate(V v, Axis axis, Angle angle) {
    using namespace detail;
    if constexpr (in_space<V, Axis>()) {
        const auto cosine = cos(as_operand(angle));
        return cosine * v + sin(as_operand(angle)) * cross(axis, v) +
               ((constant<1, 1>::node{} - cosine) * dot(axis, v)) * axis;
    }
}

} // namespace chainrule
