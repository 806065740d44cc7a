// SPDX-License-Identifier: BSL-1.0
//
// Matrices and vectors of numbers, with sizes known at compile time: fixed_matrix<T, 3, 3> and fixed_vector<T, 3>,
// where T is double, a number of traced code, an active or dual number, or SIMD lanes. The formulas of small matrices
// and of rotations are those of matrices of expressions; the operators are in matrices/fixed_numbers.hpp.
#pragma once

#include <chainrule/matrices/fixed_numbers.hpp>
#include <chainrule/matrices/inverse.hpp>
#include <chainrule/matrices/rotation.hpp>

namespace chainrule {

/// A matrix of numbers of type T. Example: `fixed_matrix<double, 2> a{{1, 2}, {3, 4}};` It starts as zeros.
template <class T, std::size_t Rows, std::size_t Columns>
class fixed_matrix : public detail::matrix_numbers<T, Columns, std::make_index_sequence<Rows>> {
    static_assert(Rows > 0 && Columns > 0, "fixed_matrix: a count of rows or columns is 0; give positive counts");

public:
    enum : std::size_t { rows = Rows, columns = Columns, count = Rows * Columns };
    using value_type = T;
    template <class U>
    using with_number = fixed_matrix<U, Rows, Columns>;

    using detail::matrix_numbers<T, Columns, std::make_index_sequence<Rows>>::matrix_numbers;
    /// The same matrix with numbers of another type, as fixed_matrix<T, 3>(a).
    template <class U>
    constexpr explicit fixed_matrix(const fixed_matrix<U, Rows, Columns>& a) {
        for (std::size_t i = 0; i < Rows * Columns; ++i) this->numbers[i] = static_cast<T>(a.numbers[i]);
    }

    /// The same from an array of rows, as F.jacobian(point) returns it.
    template <class U>
    constexpr explicit(!std::is_same_v<T, U>) fixed_matrix(const std::array<std::array<U, Columns>, Rows>& rows_given) {
        for (std::size_t i = 0; i < Rows; ++i)
            for (std::size_t j = 0; j < Columns; ++j) this->numbers[i * Columns + j] = static_cast<T>(rows_given[i][j]);
    }

    /// The same from rows in a further pair of braces, or from a built-in array.
    template <std::size_t Lists, std::size_t Given>
    requires(Given <= Columns)
    constexpr fixed_matrix(const T (&rows_given)[Lists][Given]) {
        constexpr bool right = Lists == Rows;
        static_assert(right, "fixed_matrix: the lists in braces are not the rows of the matrix; write one list for "
                             "each row, none longer than a row");
        if constexpr (right)
            for (std::size_t i = 0; i < Rows; ++i)
                for (std::size_t j = 0; j < Given; ++j) this->numbers[i * Columns + j] = rows_given[i][j];
    }

    template <std::size_t... Given>
    requires(sizeof...(Given) > 0 && (sizeof...(Given) != Rows || !(true && ... && (Given <= Columns))))
    constexpr fixed_matrix([[maybe_unused]] const T (&... list)[Given]) {
        static_assert(sizeof...(Given) == 0, "fixed_matrix: the lists in braces are not the rows of the matrix; write "
                                             "one list for each row, none longer than a row");
    }
    template <class... U>
    requires(sizeof...(U) > 0 && (true && ... && (std::is_arithmetic_v<U> || std::is_same_v<U, T>)))
    constexpr explicit(sizeof...(U) == 1) fixed_matrix(const U&...) {
        static_assert(sizeof...(U) == 0, "fixed_matrix: the numbers of a matrix are not in rows; write"
                                         " one list for each row, as in {{1.0, 2.0}, {3.0, 4.0}}");
    }

    /// The identity matrix; only of square ones.
    [[nodiscard]] static constexpr fixed_matrix identity() {
        static_assert(Rows == Columns, "fixed_matrix: identity() of a matrix that is not square; make it square");
        fixed_matrix r;
        for (std::size_t i = 0; i < Rows; ++i) r(i, i) = T(1);
        return r;
    }

    /// The element in row i and column j, which must exist.
    [[nodiscard]] constexpr T& operator()(std::size_t i, std::size_t j) { return this->numbers[i * Columns + j]; }
    [[nodiscard]] constexpr const T& operator()(std::size_t i, std::size_t j) const {
        return this->numbers[i * Columns + j];
    }
    /// A row by a constant, A[0_c], as of matrices of expressions.
    template <class Index>
    constexpr fixed_vector<T, Columns> operator[](const Index&) const {
        constexpr bool is_constant = expression<Index>;
        static_assert(is_constant, "fixed_matrix: A[i] is not an element; write A(i, j) for an element, or A.row(i)");
        if constexpr (is_constant)
            return row(detail::position_of<Index, Rows>());
        else
            return {};
    }
    /// A copy of row i.
    [[nodiscard]] constexpr fixed_vector<T, Columns> row(std::size_t i) const {
        fixed_vector<T, Columns> r;
        for (std::size_t j = 0; j < Columns; ++j) r[j] = (*this)(i, j);
        return r;
    }
    /// A copy of column j.
    [[nodiscard]] constexpr fixed_vector<T, Rows> column(std::size_t j) const {
        fixed_vector<T, Rows> r;
        for (std::size_t i = 0; i < Rows; ++i) r[i] = (*this)(i, j);
        return r;
    }

    /// All elements, row by row.
    [[nodiscard]] constexpr T* begin() { return this->numbers; }
    [[nodiscard]] constexpr const T* begin() const { return this->numbers; }
    [[nodiscard]] constexpr T* end() { return this->numbers + Rows * Columns; }
    [[nodiscard]] constexpr const T* end() const { return this->numbers + Rows * Columns; }

    friend constexpr bool operator==(const fixed_matrix& a, const fixed_matrix& b)
    requires(std::is_arithmetic_v<T>)
    {
        for (std::size_t i = 0; i < Rows * Columns; ++i)
            if (!(a.numbers[i] == b.numbers[i])) return false;
        return true;
    }
};
template <class T, std::size_t Columns, class... Row>
fixed_matrix(const T (&)[Columns], const Row (&... row)[Columns])
    -> fixed_matrix<typename detail::number_of_all<T, Row...>::type, 1 + sizeof...(Row), Columns>;
template <class T, std::size_t Rows, std::size_t Columns>
fixed_matrix(const std::array<std::array<T, Columns>, Rows>&) -> fixed_matrix<T, Rows, Columns>;

/// The matrix of the given rows.
template <class T, std::size_t Columns, class... Row>
[[nodiscard]] constexpr auto matrix(const fixed_vector<T, Columns>& first, const Row&... rows) {
    constexpr bool even = core::all_true({std::is_same_v<Row, fixed_vector<T, Columns>>..., true});
    static_assert(even, "matrix: a row is not a fixed_vector of the size and type of the first; pass such rows");
    if constexpr (even) {
        const fixed_vector<T, Columns> all[] = {first, rows...};
        fixed_matrix<T, 1 + sizeof...(Row), Columns> a;
        for (std::size_t i = 0; i <= sizeof...(Row); ++i)
            for (std::size_t j = 0; j < Columns; ++j) a.numbers[i * Columns + j] = all[i][j];
        return a;
    }
}

// Refused by a function: after an error in the class, clang leaves out its members. (bool(...): nvcc takes a concept of
// a type that depends on others for an error.)
template <class T, std::size_t Rows, std::size_t Columns>
requires(bool(std::is_integral<T>::value))
class fixed_matrix<T, Rows, Columns> : public fixed_matrix<double, Rows, Columns> {
public:
    using fixed_matrix<double, Rows, Columns>::fixed_matrix;
    constexpr fixed_matrix(const fixed_matrix<double, Rows, Columns>& a) : fixed_matrix<double, Rows, Columns>(a) {}

private:
    enum : bool { refused = detail::are_refused<T>() };
};

#define CHAINRULE_WRONG_SIZE                                                                                           \
    "fixed_vector: the number of elements in the list is not that of the vector; write one number per element, or "    \
    "none for zeros"

/// A vector of numbers of type T. Example: `fixed_vector<double, 3> v{1, 2, 3};` It starts as zeros.
template <class T, std::size_t Size>
class fixed_vector : public detail::vector_numbers<T, std::make_index_sequence<Size>> {
    static_assert(Size > 0, "fixed_vector: the size is 0; give a positive size");

public:
    // As of vectors of expressions: 0 columns distinguish a vector from a matrix.
    enum : std::size_t { columns = 0, count = Size };
    using value_type = T;
    template <class U>
    using with_number = fixed_vector<U, Size>;

    using detail::vector_numbers<T, std::make_index_sequence<Size>>::vector_numbers;
    template <class U>
    constexpr explicit fixed_vector(const fixed_vector<U, Size>& v) {
        for (std::size_t i = 0; i < Size; ++i) this->numbers[i] = static_cast<T>(v.numbers[i]);
    }

    template <class... U>
    requires(sizeof...(U) > 1 && sizeof...(U) != Size &&
             (true && ... && (std::is_arithmetic_v<U> || std::is_same_v<U, T>)))
    constexpr fixed_vector(const U&...) {
        static_assert(sizeof...(U) == Size, CHAINRULE_WRONG_SIZE);
    }

    // The same in a second pair of braces; a std::array would make zeros of it.
    template <std::size_t Given>
    constexpr fixed_vector(const T (&list)[Given]) {
        static_assert(Given == Size, CHAINRULE_WRONG_SIZE);
        for (std::size_t i = 0; i < Size && i < Given; ++i) this->numbers[i] = list[i];
    }

    /// The number of elements.
    [[nodiscard]] static constexpr std::size_t size() { return Size; }
    /// The element at position i, which must exist.
    [[nodiscard]] constexpr T& operator[](std::size_t i) { return this->numbers[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return this->numbers[i]; }
    /// An element by a constant, v[0_c], as of vectors of expressions.
    template <expression Index>
    [[nodiscard]] constexpr T& operator[](const Index&) {
        return this->numbers[detail::position_of<Index, Size>()];
    }
    template <expression Index>
    [[nodiscard]] constexpr const T& operator[](const Index&) const {
        return this->numbers[detail::position_of<Index, Size>()];
    }

    [[nodiscard]] constexpr T* begin() { return this->numbers; }
    [[nodiscard]] constexpr const T* begin() const { return this->numbers; }
    [[nodiscard]] constexpr T* end() { return this->numbers + Size; }
    [[nodiscard]] constexpr const T* end() const { return this->numbers + Size; }

    friend constexpr bool operator==(const fixed_vector& a, const fixed_vector& b)
    requires(std::is_arithmetic_v<T>)
    {
        for (std::size_t i = 0; i < Size; ++i)
            if (!(a.numbers[i] == b.numbers[i])) return false;
        return true;
    }
};
#undef CHAINRULE_WRONG_SIZE
template <class First, class... Rest>
fixed_vector(First, Rest...) -> fixed_vector<typename detail::number_of_all<First, Rest...>::type, 1 + sizeof...(Rest)>;
template <class T, std::size_t Size>
fixed_vector(const std::array<T, Size>&) -> fixed_vector<T, Size>;

template <class T, std::size_t Size>
requires(bool(std::is_integral<T>::value))
class fixed_vector<T, Size> : public fixed_vector<double, Size> {
public:
    using fixed_vector<double, Size>::fixed_vector;
    constexpr fixed_vector(const fixed_vector<double, Size>& v) : fixed_vector<double, Size>(v) {}

private:
    enum : bool { refused = detail::are_refused<T>() };
};

template <class T, std::size_t Rows, std::size_t Columns>
inline constexpr expressions::array_kind expressions::array_kind_of<fixed_matrix<T, Rows, Columns>> =
    expressions::array_kind::matrix;
template <class T, std::size_t Size>
inline constexpr expressions::array_kind expressions::array_kind_of<fixed_vector<T, Size>> =
    expressions::array_kind::vector;
template <class T, std::size_t Rows, std::size_t Columns>
inline constexpr bool expressions::has_own_operators<fixed_matrix<T, Rows, Columns>> = true;
template <class T, std::size_t Size>
inline constexpr bool expressions::has_own_operators<fixed_vector<T, Size>> = true;

namespace detail {

template <class T, std::size_t Rows, std::size_t Columns>
inline constexpr bool holds_numbers<fixed_matrix<T, Rows, Columns>> = true;
template <class T, std::size_t Size>
inline constexpr bool holds_numbers<fixed_vector<T, Size>> = true;

template <std::size_t I, class T, std::size_t Rows, std::size_t Columns>
[[gnu::always_inline]] constexpr T element_at(const fixed_matrix<T, Rows, Columns>& a) {
    return a.numbers[I];
}
template <std::size_t I, class T, std::size_t Size>
[[gnu::always_inline]] constexpr T element_at(const fixed_vector<T, Size>& v) {
    return v.numbers[I];
}

} // namespace detail

template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr fixed_matrix<T, Columns, Rows> transpose(const fixed_matrix<T, Rows, Columns>& a) {
    fixed_matrix<T, Columns, Rows> r;
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) r(j, i) = a(i, j);
    return r;
}

} // namespace chainrule
