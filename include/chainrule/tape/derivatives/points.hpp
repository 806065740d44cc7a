// SPDX-License-Identifier: BSL-1.0
//
// The points at which functions are differentiated and the numbers that they return: vectors, arrays, spans, matrices
// of Eigen and fixed matrices (which this header does not include), or separate numbers. For each, the type that holds
// as many numbers of another type, and the type that holds a matrix of derivatives.
#pragma once

#include <chainrule/tape/derivatives/jacobians.hpp>
#include <chainrule/tape/derivatives/kept_tape.hpp>
#include <chainrule/tape/recording/carries_derivatives.hpp>

#include <array>
#include <concepts>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace chainrule {

template <class T, std::size_t Rows, std::size_t Columns>
class fixed_matrix;
template <class T, std::size_t Size>
class fixed_vector;

namespace tape::points {

template <class F>
inline constexpr bool is_tape = false;
template <class T>
inline constexpr bool is_tape<basic_tape<T>> = true;

/// Whether a class is one of numbers, such as those of many digits; one without limits if it has their operators, which
/// lists and matrices have not.
template <class N>
consteval bool is_class_of_numbers() {
    if constexpr (!std::is_class_v<N>)
        return false;
    else if constexpr (std::numeric_limits<N>::is_specialized)
        return !std::numeric_limits<N>::is_integer;
    else
        return requires(const N& x) {
            N(0.5);
            x + x;
            x* x;
            { x < x } -> std::same_as<bool>;
        };
}
/// A number at which one differentiates.
template <class N>
concept number = std::is_arithmetic_v<N> || carries_derivatives<N> || is_class_of_numbers<N>();

/// The number type of derivatives: as everywhere, an integer counts as a double.
template <class N>
using derivative_number = std::conditional_t<std::is_integral_v<N>, double, N>;

/// A list of numbers whose length is known at run time.
template <class N>
struct list_layout {
    using number_type = N;
    static constexpr std::size_t extent = std::dynamic_extent;
    template <class U>
    using with = std::vector<U>;

    template <class U, class X>
    [[nodiscard]] static std::vector<U> make(const X& like) {
        return std::vector<U>(static_cast<std::size_t>(std::ranges::size(like)));
    }
};
/// The same with a length known at compile time.
template <class N, std::size_t Size>
struct array_layout {
    using number_type = N;
    static constexpr std::size_t extent = Size;
    template <class U>
    using with = std::array<U, Size>;

    template <class U, class X>
    [[nodiscard]] static std::array<U, Size> make(const X&) {
        return {};
    }
};
/// A fixed vector, or a fixed matrix, row by row.
template <class Fixed>
struct fixed_layout {
    using number_type = typename Fixed::value_type;
    static constexpr std::size_t extent = Fixed::count;
    template <class U>
    using with = typename Fixed::template with_number<U>;

    template <class U, class X>
    [[nodiscard]] static with<U> make(const X&) {
        return {};
    }
};
/// A matrix or an array of Eigen. Its numbers are in order column by column, however it is stored.
template <class Plain>
struct matrix_layout;
template <template <class, int, int, int, int, int> class Matrix, class N, int Rows, int Columns, int Options,
          int MostRows, int MostColumns>
struct matrix_layout<Matrix<N, Rows, Columns, Options, MostRows, MostColumns>> {
    using number_type = N;
    static constexpr int size = Rows < 0 || Columns < 0 ? -1 : Rows * Columns;
    static constexpr std::size_t extent = size < 0 ? std::dynamic_extent : static_cast<std::size_t>(size);
    template <class U>
    using with = Matrix<U, Rows, Columns, Options, MostRows, MostColumns>;
    /// A matrix with a row for each of these numbers and so many columns. Eigen wants a single row by rows.
    template <class U, int Others>
    using with_columns = Matrix<U, size, Others, (size == 1 && Others != 1 ? 1 : 0), size, Others>;

    template <class U, class X>
    [[nodiscard]] static with<U> make(const X& like) {
        with<U> result;
        result.resize(like.rows(), like.cols());
        return result;
    }
};

template <class X>
struct layout_of {
    using type = void;
};
template <class X>
requires(!matrix_object<X> && std::ranges::sized_range<const X> && std::ranges::random_access_range<const X>)
struct layout_of<X> {
    using type = list_layout<std::ranges::range_value_t<const X>>;
};
template <class N, std::size_t Size>
struct layout_of<std::array<N, Size>> {
    using type = array_layout<N, Size>;
};
template <class N, std::size_t Size>
struct layout_of<N[Size]> {
    using type = array_layout<N, Size>;
};
template <class N, std::size_t Size>
requires(Size != std::dynamic_extent)
struct layout_of<std::span<N, Size>> {
    using type = array_layout<std::remove_cv_t<N>, Size>;
};
template <class N, std::size_t Size>
struct layout_of<fixed_vector<N, Size>> {
    using type = fixed_layout<fixed_vector<N, Size>>;
};
template <class N, std::size_t Rows, std::size_t Columns>
struct layout_of<fixed_matrix<N, Rows, Columns>> {
    using type = fixed_layout<fixed_matrix<N, Rows, Columns>>;
};
template <matrix_object X>
struct layout_of<X> {
    using type = matrix_layout<typename X::PlainObject>;
};
template <class X>
using layout = typename layout_of<std::remove_cvref_t<X>>::type;

/// Text is not a list of numbers, although its characters are integers.
template <class X>
inline constexpr bool text = requires { typename X::traits_type; };
template <class X>
requires(std::is_array_v<X> || std::is_pointer_v<X>)
inline constexpr bool text<X> = std::same_as<std::remove_cv_t<std::remove_pointer_t<std::decay_t<X>>>, char>;

/// Several numbers, or what converts to numbers, such as expressions of active numbers.
template <class X>
concept list = !std::same_as<layout<X>, void> && !text<std::remove_cvref_t<X>>;
/// A list of numbers at which one differentiates.
template <class X>
concept list_of_numbers = list<X> && number<typename layout<X>::number_type>;

template <class X>
using number_of = derivative_number<typename layout<X>::number_type>;

template <list X>
[[nodiscard]] std::size_t size_of(const X& x) {
    if constexpr (matrix_object<X>)
        return static_cast<std::size_t>(x.size());
    else
        return static_cast<std::size_t>(std::ranges::size(x));
}
/// Element i. An expression of Eigen is evaluated before.
template <list X>
[[nodiscard]] decltype(auto) element(X& x, std::size_t i) {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i);
    if constexpr (is_stored_by_rows<std::remove_const_t<X>>)
        return x.coeffRef(place % x.rows(), place / x.rows());
    else if constexpr (matrix_object<std::remove_const_t<X>>)
        return x.coeffRef(place);
    else
        return std::ranges::begin(x)[place];
}
/// The list itself, or an evaluated expression of Eigen.
template <list X>
[[nodiscard]] decltype(auto) evaluated(const X& x) {
    if constexpr (matrix_object<X>) {
        if constexpr (std::same_as<X, typename X::PlainObject>)
            return (x);
        else
            return typename X::PlainObject(x);
    } else {
        return (x);
    }
}

/// Numbers laid out as those of a point: of each element and its place.
template <class U, list X, class Of>
[[nodiscard]] auto made(const X& like, Of of) {
    decltype(auto) from = points::evaluated(like);
    auto result = layout<X>::template make<U>(from);
    const std::size_t size = points::size_of(from);
    for (std::size_t i = 0; i < size; ++i) points::element(result, i) = of(points::element(from, i), i);
    return result;
}

template <list Rows, list Columns, class T>
consteval auto matrix_for() {
    using rows = layout<Rows>;
    using columns = layout<Columns>;
    if constexpr (matrix_object<std::remove_cvref_t<Rows>> && matrix_object<std::remove_cvref_t<Columns>>)
        return std::type_identity<typename rows::template with_columns<T, columns::size>>{};
    else if constexpr (!matrix_object<std::remove_cvref_t<Rows>> && !matrix_object<std::remove_cvref_t<Columns>> &&
                       rows::extent != std::dynamic_extent && columns::extent != std::dynamic_extent)
        return std::type_identity<std::array<std::array<T, columns::extent>, rows::extent>>{};
    else
        return std::type_identity<matrix<T>>{};
}
/// The matrix of derivatives of numbers in the first layout with respect to numbers in the second: an array of arrays
/// for two of fixed size, a matrix of Eigen for two of those, or else a matrix<T>.
template <list Rows, list Columns, class T>
using matrix_of = typename decltype(matrix_for<Rows, Columns, T>())::type;

/// A matrix of that type, whose elements have no values yet, and its element (i, j), without a check.
template <class To, class T>
[[nodiscard]] To matrix_to_be_written(std::size_t rows, std::size_t columns) {
    if constexpr (std::same_as<To, matrix<T>>) {
        return matrix<T>::to_be_written(rows, columns);
    } else {
        To to{};
        if constexpr (matrix_object<To>) {
            to.resize(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
            // Of a size that it knows, g++ warns of elements without values.
            if constexpr (To::SizeAtCompileTime > 0) to.setZero();
        }
        return to;
    }
}
template <class T, class To>
[[nodiscard]] T& matrix_element(To& to, std::size_t i, std::size_t j) {
    if constexpr (std::same_as<To, matrix<T>>)
        return to.data()[i * to.columns() + j];
    else if constexpr (matrix_object<To>)
        return to(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(j));
    else
        return to[i][j];
}
/// A matrix of that type with the elements of(i, j).
template <class To, class T, class Of>
[[nodiscard]] To matrix_made(std::size_t rows, std::size_t columns, Of of) {
    auto to = points::matrix_to_be_written<To, T>(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) points::matrix_element<T>(to, i, j) = of(i, j);
    return to;
}
template <class To, class T>
[[nodiscard]] To converted(matrix<T>&& from) {
    if constexpr (std::same_as<To, matrix<T>>)
        return std::move(from);
    else
        return points::matrix_made<To, T>(from.rows(), from.columns(),
                                          [&](std::size_t i, std::size_t j) { return from(i, j); });
}

} // namespace tape::points

} // namespace chainrule
