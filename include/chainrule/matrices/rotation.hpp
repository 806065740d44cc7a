// SPDX-License-Identifier: BSL-1.0
//
// Rotations in space by a rotation vector, an axis and an angle, or a quaternion; as a matrix, or applied to a vector.
// They use Rodrigues' formula. For a rotation vector, its factors sin(angle) / angle and (1 - cos(angle)) / angle^2 are
// functions of the squared angle: below 1 their series, so value and derivatives are correct at the angle 0, too.
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
    return array_like<3>(v, xx, difference_of_elements(xy, element_at<2>(s)), sum_of_elements(xz, element_at<1>(s)),
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
    const auto one = constant_like<1>(v);
    return rotation_with_diagonal(v, q, v * sine, difference_of_elements(one, sum_of_elements(yy, zz)),
                                  difference_of_elements(one, sum_of_elements(xx, zz)),
                                  difference_of_elements(one, sum_of_elements(xx, yy)));
}

template <class A, class B>
struct rotation_factors {
    A sine;   // sin(angle) / angle
    B square; // (1 - cos(angle)) / angle^2
};
// (clang takes a deduction guide for the host's.)
template <class A, class B>
CHAINRULE_PER_NODE auto rotation_factors_from(A sine, B square) {
    return rotation_factors<A, B>{sine, square};
}

constexpr std::int64_t factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
// The sum of (-1)^k s^k / (2 k + Odd)! from k to 9. For s < 1 the next term is at most 2e-20, and that of the fourth
// derivative 2e-12 of the sum.
template <int Odd, int K, class V, class S>
CHAINRULE_PER_NODE auto series_of_rotation(V v, S s) {
    const auto term = constant_like<(K % 2 == 0 ? 1 : -1), factorial(2 * K + Odd)>(v);
    if constexpr (K == 9)
        return term;
    else
        return settled(v, sum_of_elements(term, product_of_elements(s, series_of_rotation<Odd, K + 1>(v, s))));
}
template <class V, class S>
CHAINRULE_PER_NODE auto rotation_factors_by_series(V v, S s) {
    return rotation_factors_from(series_of_rotation<1, 0>(v, s), series_of_rotation<2, 0>(v, s));
}
// One sine and cosine, of half the angle: 1 - cos(angle) would lose digits.
template <class V, class S>
CHAINRULE_PER_NODE auto rotation_factors_by_angle(V v, S s) {
    const auto half = constant_like<1, 2>(v);
    const auto angle = settled(v, product_of_elements(half, number_sqrt(s)));
    const auto sinc = settled(v, quotient_of_elements(number_sin(angle), angle));
    return rotation_factors_from(settled(v, product_of_elements(sinc, number_cos(angle))),
                                 settled(v, product_of_elements(half, product_of_elements(sinc, sinc))));
}
template <class V>
CHAINRULE_PER_NODE auto rotation_factors_of(V v) {
    const auto s = settled(v, squared_norm(v));
    const auto near = s < constant_like<1>(v);
    if constexpr (std::is_same_v<decltype(near), const bool>) {
        return near ? rotation_factors_by_series(v, s) : rotation_factors_by_angle(v, s);
    } else {
        const auto series = rotation_factors_by_series(v, s);
        const auto exact = rotation_factors_by_angle(v, s);
        return rotation_factors_from(choice_of(near, series.sine, exact.sine),
                                     choice_of(near, series.square, exact.square));
    }
}

template <class Q>
CHAINRULE_PER_NODE auto vector_part(Q q) {
    return array_like<0>(q, element_at<1>(q), element_at<2>(q), element_at<3>(q));
}
// 2 / |q|^2
template <class Q>
CHAINRULE_PER_NODE auto scale_of_quaternion(Q q) {
    return settled(q, quotient_of_elements(constant_like<2>(q), squared_norm(q)));
}

template <class W>
CHAINRULE_PER_NODE auto rotation_by(W w) {
    if constexpr (std::size_t{W::count} == 4) {
        const auto scale = scale_of_quaternion(w);
        return rotation_from_identity(vector_part(w), settled(w, product_of_elements(scale, element_at<0>(w))), scale);
    } else if constexpr (in_space<W>()) {
        const auto factors = rotation_factors_of(w);
        return rotation_from_identity(w, factors.sine, factors.square);
    }
}
template <class V, class W>
CHAINRULE_PER_NODE auto rotated_by(V v, W w) {
    if constexpr (std::size_t{W::count} == 4) {
        if constexpr (in_space<V>()) {
            const auto u = vector_part(w);
            const auto t = scale_of_quaternion(w) * cross(u, v);
            return v + element_at<0>(w) * t + cross(u, t);
        }
    } else if constexpr (in_space<V, W>()) {
        const auto factors = rotation_factors_of(w);
        const auto moved = cross(w, v);
        return v + factors.sine * moved + factors.square * cross(w, moved);
    }
}

} // namespace detail

/// The rotation matrix of a rotation vector, which points along the axis and whose length is the angle in radians; or
/// of a quaternion, a vector of four elements w, x, y, z with any length except 0. For a rotation vector, value and
/// derivatives are correct for every angle, including 0.
template <class Elements>
CHAINRULE_PER_NODE auto rotation(const expressions::members_of_vector<Elements>& w) {
    return detail::rotation_by(w);
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
template <class V, class Elements>
CHAINRULE_PER_NODE auto rotate(V v, const expressions::members_of_vector<Elements>& w) {
    return detail::rotated_by(v, w);
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
