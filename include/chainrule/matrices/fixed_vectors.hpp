// SPDX-License-Identifier: BSL-1.0
//
// Products and norms of vectors of numbers, and rotations.
#pragma once

#include <chainrule/matrices/fixed_systems.hpp>

namespace chainrule {

/// The scalar product v0 * w0 + v1 * w1 + ..., added from the left.
template <class T, class U, std::size_t Size, std::size_t Other>
[[nodiscard]] constexpr auto dot(const fixed_vector<T, Size>& v, const fixed_vector<U, Other>& w) {
    typename detail::number_of_both<T, U>::type sum = v[0] * w[0];
    if constexpr (expressions::of_equal_size<Size, Other>())
        for (std::size_t i = 1; i < Size; ++i) sum = sum + v[i] * w[i];
    return sum;
}

/// The matrix of all products v[i] * w[j].
template <class T, class U, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr auto outer(const fixed_vector<T, Rows>& v, const fixed_vector<U, Columns>& w) {
    fixed_matrix<typename detail::number_of_both<T, U>::type, Rows, Columns> r;
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) r(i, j) = v[i] * w[j];
    return r;
}

template <class T, class U, std::size_t Size, std::size_t Other>
[[nodiscard]] constexpr auto cross(const fixed_vector<T, Size>& v, const fixed_vector<U, Other>& w) {
    using number = typename detail::number_of_both<T, U>::type;
    if constexpr (expressions::in_space<Size, Other>())
        return fixed_vector<number, 3>{number(v[1] * w[2] - v[2] * w[1]), number(v[2] * w[0] - v[0] * w[2]),
                                       number(v[0] * w[1] - v[1] * w[0])};
    else
        return fixed_vector<number, 3>{};
}

/// The sum of the squares of all elements.
template <class T, std::size_t Size>
[[nodiscard]] constexpr T squared_norm(const fixed_vector<T, Size>& v) {
    return dot(v, v);
}
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T squared_norm(const fixed_matrix<T, Rows, Columns>& a) {
    T sum = a.numbers[0] * a.numbers[0];
    for (std::size_t i = 1; i < Rows * Columns; ++i) sum = sum + a.numbers[i] * a.numbers[i];
    return sum;
}

namespace detail {

template <class T>
[[nodiscard]] constexpr T root_or_zero(const T& square) {
    if constexpr (is_comparable<T>)
        return square == T(0) ? T(0) : evaluation::sqrt(square);
    else
        return choice_of(square == T(0), T(0), evaluation::sqrt(square));
}

} // namespace detail

/// The Euclidean length, of a vector of up to 3 elements without overflow: abs, hypot or hypot3. Its derivative at 0
/// is 0.
template <class T, std::size_t Size>
[[nodiscard]] constexpr T norm(const fixed_vector<T, Size>& v) {
    if constexpr (Size == 1)
        return evaluation::abs(v[0]);
    else if constexpr (Size == 2)
        return evaluation::hypot(v[0], v[1]);
    else if constexpr (Size == 3)
        return evaluation::hypot3(v[0], v[1], v[2]);
    else
        return detail::root_or_zero<T>(squared_norm(v));
}
/// The Frobenius norm of a matrix: the length of the vector of its elements.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T norm(const fixed_matrix<T, Rows, Columns>& a) {
    return detail::root_or_zero<T>(squared_norm(a));
}

/// The rotation matrix of a rotation vector, the exponential map, or of a quaternion w, x, y, z of any length but 0:
/// see rotation() of expressions. Derivatives by a rotation vector are correct at 0, too.
template <class T, std::size_t Size>
[[nodiscard]] constexpr auto rotation(const fixed_vector<T, Size>& w) {
    return detail::rotation_by(w);
}
/// v rotated by a rotation vector or a quaternion.
template <class U, class T, std::size_t Size>
[[nodiscard]] constexpr auto rotate(const fixed_vector<U, 3>& v, const fixed_vector<T, Size>& w) {
    return detail::rotated_by(v, w);
}

/// The rotation matrix about an axis, a vector of length 1, by an angle in radians: see rotation() of expressions.
template <class T, class U>
[[nodiscard]] constexpr auto rotation(const fixed_vector<T, 3>& axis, const U& angle) {
    using number = typename detail::number_of_both<T, U>::type;
    const fixed_vector<number, 3> v{number(axis[0]), number(axis[1]), number(axis[2])};
    const number cosine = evaluation::cos(number(angle)), sine = evaluation::sin(number(angle));
    return detail::rotation_of_parts(v, cosine, sine, number(number(1) - cosine));
}
/// v rotated about an axis, a vector of length 1, by an angle in radians.
template <class V, class T, class U>
[[nodiscard]] constexpr auto rotate(const fixed_vector<V, 3>& v, const fixed_vector<T, 3>& axis, const U& angle) {
    using number = typename detail::number_of_both<T, U>::type;
    const number cosine = evaluation::cos(number(angle)), sine = evaluation::sin(number(angle));
    return cosine * v + sine * cross(axis, v) + ((number(1) - cosine) * dot(axis, v)) * axis;
}

} // namespace chainrule
