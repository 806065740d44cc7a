// SPDX-License-Identifier: BSL-1.0
//
// Matrices and vectors of numbers, with sizes known at compile time: fixed_matrix<T, 3, 3> and fixed_vector<T, 3>,
// where T is double, a number of traced code, an active or dual number, or SIMD lanes, and their operators. The
// formulas of small matrices and of rotations are those of matrices of expressions; sums and products are loops.
#pragma once

#include <chainrule/matrices/inverse.hpp>
#include <chainrule/matrices/rotation.hpp>
#include <chainrule/trace/number.hpp>

#include <array>

namespace chainrule {

template <class T, std::size_t Rows, std::size_t Columns = Rows>
class fixed_matrix;
template <class T, std::size_t Size>
class fixed_vector;

namespace detail {

/// What the formulas of expressions make of arrays of numbers of type T.
template <class T>
struct number_formulas {
    template <std::size_t Columns, class... E>
    [[nodiscard, gnu::always_inline]] static constexpr auto array(const E&... e) {
        if constexpr (Columns == 0) {
            return fixed_vector<T, sizeof...(E)>(std::array<T, sizeof...(E)>{static_cast<T>(e)...});
        } else {
            const T all[] = {static_cast<T>(e)...};
            fixed_matrix<T, sizeof...(E) / Columns, Columns> r;
            for (std::size_t i = 0; i < sizeof...(E); ++i) r.numbers[i] = all[i];
            return r;
        }
    }
    template <class Exact>
    [[nodiscard]] static constexpr T constant() {
        if constexpr (tracing::is_traced<T>)
            return T(Exact{});
        else
            return Exact::value().template as<T>();
    }
};

template <class T, std::size_t Columns, std::size_t>
struct row_of_numbers {
    using type = T[Columns];
};
template <class T, std::size_t>
struct number_of_vector {
    using type = T;
};

// The type of products of numbers of two types.
template <class T, class U>
struct number_of_both {
    using type = std::remove_cvref_t<decltype(std::declval<const T&>() * std::declval<const U&>())>;
};
template <class T>
struct number_of_both<T, T> {
    using type = T;
};
template <class T, class U>
requires(std::is_arithmetic_v<T> != std::is_arithmetic_v<U>)
struct number_of_both<T, U> {
    using type = std::conditional_t<std::is_arithmetic_v<T>, U, T>;
};

/// The operators of fixed vectors and matrices; found as hidden friends of their base, so that they are no candidates
/// for single expressions.
struct number_array {
    template <class A, class B>
    friend constexpr auto operator+(const A& a, const B& b) {
        if constexpr (same_shape<A, B>()) return by_element(a, b, [](const auto& x, const auto& y) { return x + y; });
    }
    template <class A, class B>
    friend constexpr auto operator-(const A& a, const B& b) {
        if constexpr (same_shape<A, B>()) return by_element(a, b, [](const auto& x, const auto& y) { return x - y; });
    }
    template <class A>
    friend constexpr A operator+(const A& a) {
        return a;
    }
    template <class A>
    friend constexpr A operator-(const A& a) {
        A r;
        for (std::size_t i = 0; i < std::size_t{A::count}; ++i) r.numbers[i] = -a.numbers[i];
        return r;
    }
    template <class A, class B>
    friend constexpr auto operator*(const A& a, const B& b) {
        if constexpr (array_kind_of<A> == array_kind::scalar)
            return by_number(b, a, [](const auto& x, const auto& s) { return s * x; });
        else if constexpr (array_kind_of<B> == array_kind::scalar)
            return by_number(a, b, [](const auto& x, const auto& s) { return s * x; });
        else if constexpr (factors_fit<A, B>())
            return product(a, b);
    }
    template <class A, class B>
    friend constexpr auto operator/(const A& a, const B& b) {
        if constexpr (is_divisor<B>()) return by_number(a, b, [](const auto& x, const auto& s) { return x / s; });
    }
    template <class A, class B>
    friend constexpr A& operator+=(A& a, const B& b) {
        return a = a + b;
    }
    template <class A, class B>
    friend constexpr A& operator-=(A& a, const B& b) {
        return a = a - b;
    }
    template <class A, class B>
    friend constexpr A& operator*=(A& a, const B& b) {
        return a = a * b;
    }
    template <class A, class B>
    friend constexpr A& operator/=(A& a, const B& b) {
        return a = a / b;
    }

private:
    template <class A, class B, class Compute>
    static constexpr auto by_element(const A& a, const B& b, const Compute& compute) {
        typename A::template with_number<typename number_of_both<typename A::value_type, typename B::value_type>::type>
            r;
        for (std::size_t i = 0; i < std::size_t{A::count}; ++i) r.numbers[i] = compute(a.numbers[i], b.numbers[i]);
        return r;
    }
    template <class A, class S, class Compute>
    static constexpr auto by_number(const A& a, const S& s, const Compute& compute) {
        typename A::template with_number<typename number_of_both<typename A::value_type, S>::type> r;
        for (std::size_t i = 0; i < std::size_t{A::count}; ++i) r.numbers[i] = compute(a.numbers[i], s);
        return r;
    }
    // Each sum is added from the left.
    template <class A, class B>
    static constexpr auto product(const A& a, const B& b) {
        using T = typename number_of_both<typename A::value_type, typename B::value_type>::type;
        constexpr std::size_t inner{A::columns}, height = std::size_t{A::count} / inner,
                                                 width = std::size_t{B::columns} == 0 ? 1 : std::size_t{B::columns};
        auto r = [] {
            if constexpr (std::size_t{B::columns} == 0)
                return fixed_vector<T, height>();
            else
                return fixed_matrix<T, height, width>();
        }();
        for (std::size_t i = 0; i < height; ++i)
            for (std::size_t j = 0; j < width; ++j) {
                T sum = a.numbers[i * inner] * b.numbers[j];
                for (std::size_t k = 1; k < inner; ++k) sum = sum + a.numbers[i * inner + k] * b.numbers[k * width + j];
                r.numbers[i * width + j] = sum;
            }
        return r;
    }
};

template <class T, std::size_t Columns, class Rows>
struct matrix_numbers;
template <class T, std::size_t Columns, std::size_t... I>
struct matrix_numbers<T, Columns, std::index_sequence<I...>> : number_array, number_formulas<T> {
    /// The elements, row by row.
    T numbers[sizeof...(I) * Columns]{};

    /// Zeros.
    constexpr matrix_numbers() = default;
    /// The matrix of the given rows: {{a, b}, {c, d}}.
    constexpr matrix_numbers(const typename row_of_numbers<T, Columns, I>::type&... row) {
        const T* const rows[] = {row...};
        for (std::size_t i = 0; i < sizeof...(I); ++i)
            for (std::size_t j = 0; j < Columns; ++j) numbers[i * Columns + j] = rows[i][j];
    }
};

template <class T, class Indices>
struct vector_numbers;
template <class T, std::size_t... I>
struct vector_numbers<T, std::index_sequence<I...>> : number_array, number_formulas<T> {
    T numbers[sizeof...(I)]{};

    constexpr vector_numbers() = default;
    constexpr explicit(sizeof...(I) == 1) vector_numbers(const typename number_of_vector<T, I>::type&... number)
        : numbers{number...} {}
    constexpr vector_numbers(const std::array<T, sizeof...(I)>& all) : numbers{all[I]...} {}
};

} // namespace detail

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

    template <class... U>
    requires(sizeof...(U) > 1 && (true && ... && (std::is_arithmetic_v<U> || std::is_same_v<U, T>)))
    constexpr fixed_matrix(const U&...) {
        static_assert(sizeof...(U) == 0, "fixed_matrix: the numbers of a matrix are not in rows; write"
                                         " one list for each row, as in {{1.0, 2.0}, {3.0, 4.0}}");
    }

    [[nodiscard]] static constexpr fixed_matrix identity() {
        static_assert(Rows == Columns, "fixed_matrix: identity() of a matrix that is not square; make it square");
        fixed_matrix r;
        for (std::size_t i = 0; i < Rows; ++i) r(i, i) = T(1);
        return r;
    }

    [[nodiscard]] constexpr T& operator()(std::size_t i, std::size_t j) { return this->numbers[i * Columns + j]; }
    [[nodiscard]] constexpr const T& operator()(std::size_t i, std::size_t j) const {
        return this->numbers[i * Columns + j];
    }
    template <class Index>
    constexpr fixed_vector<T, Columns> operator[](const Index&) const {
        static_assert(sizeof(Index) == 0,
                      "fixed_matrix: A[i] is not an element; write A(i, j) for an element, or A.row(i)");
        return {};
    }
    [[nodiscard]] constexpr fixed_vector<T, Columns> row(std::size_t i) const {
        fixed_vector<T, Columns> r;
        for (std::size_t j = 0; j < Columns; ++j) r[j] = (*this)(i, j);
        return r;
    }
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
fixed_matrix(const T (&)[Columns], const Row (&... row)[Columns]) -> fixed_matrix<T, 1 + sizeof...(Row), Columns>;

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

    [[nodiscard]] static constexpr std::size_t size() { return Size; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) { return this->numbers[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return this->numbers[i]; }

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
template <class First, class... Rest>
fixed_vector(First, Rest...) -> fixed_vector<First, 1 + sizeof...(Rest)>;

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
