// SPDX-License-Identifier: BSL-1.0
//
// Matrices and vectors of numbers, with sizes known at compile time: fixed_matrix<T, 3, 3> and fixed_vector<T, 3>,
// where T is double, a number of traced code, an active or dual number, or SIMD lanes. The formulas of small matrices
// and of rotations are those of matrices of expressions; sums and products are loops.
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

// Whether comparing numbers of type T gives a bool, so that a pivot can be chosen.
template <class T>
inline constexpr bool is_comparable =
    std::is_same_v<std::remove_cvref_t<decltype(std::declval<const T&>() < std::declval<const T&>())>, bool>;

/// step(0), step(1), ... step(Count - 1). Of small matrices the index is a constant, so that compilers know the bounds
/// of the loops within, unroll them, and keep the elements in registers.
template <std::size_t Count, class Step>
[[gnu::always_inline]] constexpr void for_each_index(const Step& step) {
    if constexpr (Count <= 8)
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            (step(std::integral_constant<std::size_t, I>{}), ...);
        }(std::make_index_sequence<Count>{});
    else
        for (std::size_t i = 0; i < Count; ++i) step(i);
}
/// The row of the largest element in column k from row k on; k if numbers cannot be compared.
template <class T, std::size_t N>
[[gnu::always_inline]] constexpr std::size_t pivot_of(const fixed_matrix<T, N>& a, std::size_t k) {
    std::size_t pivot = k;
    if constexpr (is_comparable<T>) {
        T largest = evaluation::abs(a(k, k));
        for (std::size_t i = k + 1; i < N; ++i) {
            const T size = evaluation::abs(a(i, k));
            if (largest < size) {
                largest = size;
                pivot = i;
            }
        }
    }
    return pivot;
}
template <class T, std::size_t N, std::size_t Columns>
[[gnu::always_inline]] constexpr void exchange_rows(fixed_matrix<T, N, Columns>& a, std::size_t i, std::size_t k) {
    for (std::size_t j = 0; j < Columns; ++j) {
        const T held = a(i, j);
        a(i, j) = a(k, j);
        a(k, j) = held;
    }
}
/// Gaussian elimination: a becomes its upper triangle, and right sides are transformed with it.
template <class T, std::size_t N>
struct elimination {
    fixed_vector<T, N> reciprocals; // of the pivots, except that of the last
    bool odd = false;               // whether the sign of the determinant changed

    template <class... Right>
    [[gnu::always_inline]] constexpr elimination(fixed_matrix<T, N>& a, Right&... right) {
        for_each_index<N - 1>([&](const auto index) __attribute__((always_inline)) {
            const std::size_t k = index;
            const std::size_t pivot = pivot_of(a, k);
            if (pivot != k) {
                exchange_rows(a, pivot, k);
                (exchange_rows(right, pivot, k), ...);
                odd = !odd;
            }
            reciprocals[k] = T(1) / a(k, k);
            for (std::size_t i = k + 1; i < N; ++i) {
                const T factor = a(i, k) * reciprocals[k];
                for (std::size_t j = k + 1; j < N; ++j) a(i, j) = a(i, j) - factor * a(k, j);
                (subtract_row(right, factor, i, k), ...);
            }
        });
    }

private:
    template <class Right>
    [[gnu::always_inline]] static constexpr void subtract_row(Right& b, const T& factor, std::size_t i, std::size_t k) {
        for (std::size_t j = 0; j < std::size_t{Right::columns}; ++j) b(i, j) = b(i, j) - factor * b(k, j);
    }
};
template <class T, std::size_t N, std::size_t Width>
constexpr fixed_matrix<T, N, Width> solved_by_elimination(fixed_matrix<T, N> a, fixed_matrix<T, N, Width> b) {
    elimination<T, N> steps(a, b);
    steps.reciprocals[N - 1] = T(1) / a(N - 1, N - 1);
    for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
        const std::size_t k = N - 1 - index;
        for (std::size_t j = 0; j < Width; ++j) {
            T sum = b(k, j);
            for (std::size_t i = k + 1; i < N; ++i) sum = sum - a(k, i) * b(i, j);
            b(k, j) = sum * steps.reciprocals[k];
        }
    });
    return b;
}
/// Gauss-Jordan elimination in place.
template <class T, std::size_t N>
constexpr fixed_matrix<T, N> inverse_by_elimination(fixed_matrix<T, N> a) {
    std::size_t pivots[N] = {};
    for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
        const std::size_t k = index;
        pivots[k] = pivot_of(a, k);
        if (pivots[k] != k) exchange_rows(a, pivots[k], k);
        const T scale = T(1) / a(k, k);
        a(k, k) = T(1);
        for (std::size_t j = 0; j < N; ++j) a(k, j) = a(k, j) * scale;
        for (std::size_t i = 0; i < N; ++i) {
            if (i == k) continue;
            const T factor = a(i, k);
            a(i, k) = T(0);
            for (std::size_t j = 0; j < N; ++j) a(i, j) = a(i, j) - factor * a(k, j);
        }
    });
    for (std::size_t k = N; k-- > 0;)
        if (pivots[k] != k)
            for (std::size_t i = 0; i < N; ++i) {
                const T held = a(i, k);
                a(i, k) = a(i, pivots[k]);
                a(i, pivots[k]) = held;
            }
    return a;
}

template <class A, class T>
using with_numbers_of = typename A::template with_number<typename number_of_both<T, typename A::value_type>::type>;

/// Checks the right-hand side of a linear system of N equations.
template <std::size_t N, class B>
consteval bool is_right_side() {
    constexpr bool array = holds_numbers<B>;
    static_assert(array, "solve: the right-hand side is not a fixed_vector or fixed_matrix; pass one with as many rows "
                         "as the matrix");
    if constexpr (array) {
        constexpr std::size_t width = std::size_t{B::columns} == 0 ? 1 : std::size_t{B::columns};
        constexpr bool fit = std::size_t{B::count} == N * width;
        static_assert(
            fit, "solve: the right-hand side does not have one row or element per row of the matrix; pass that many");
        return fit;
    }
    return false;
}

template <std::size_t Rows, std::size_t Columns>
consteval bool is_square() {
    constexpr bool square = Rows == Columns;
    static_assert(square, "determinant, inverse, solve, cholesky, log_det, trace: the matrix is not square; pass a "
                          "square one");
    return square;
}

} // namespace detail

// Matrices
// -------------------------------------------------------------------------------------------------------------

template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr fixed_matrix<T, Columns, Rows> transpose(const fixed_matrix<T, Rows, Columns>& a) {
    fixed_matrix<T, Columns, Rows> r;
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) r(j, i) = a(i, j);
    return r;
}

/// The sum of the diagonal.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T trace(const fixed_matrix<T, Rows, Columns>& a) {
    T sum = a(0, 0);
    if constexpr (detail::is_square<Rows, Columns>())
        for (std::size_t i = 1; i < Rows; ++i) sum = sum + a(i, i);
    return sum;
}

/// The determinant: up to 4 x 4 by minors, without a division; of larger matrices by elimination, as for inverse().
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T determinant(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>()) {
        return T();
    } else if constexpr (Rows <= 4) {
        return static_cast<T>(detail::small_determinant<Rows>(a));
    } else {
        fixed_matrix<T, Rows> u = a;
        const detail::elimination<T, Rows> steps(u);
        T product = u(0, 0);
        for (std::size_t k = 1; k < Rows; ++k) {
            if constexpr (std::is_floating_point_v<T>)
                if (product == 0) return product; // below an exact 0 there are NaNs
            product = product * u(k, k);
        }
        return steps.odd ? T(-product) : product;
    }
}

/// log |det A|. Beyond 4 x 4 it does not overflow where the determinant would.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T log_det(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>()) {
        return T();
    } else if constexpr (Rows <= 4) {
        return evaluation::log(evaluation::abs(determinant(a)));
    } else {
        fixed_matrix<T, Rows> u = a;
        const detail::elimination<T, Rows> steps(u);
        T sum = evaluation::log(evaluation::abs(u(0, 0)));
        for (std::size_t k = 1; k < Rows; ++k) sum = sum + evaluation::log(evaluation::abs(u(k, k)));
        return sum;
    }
}

/// The transposed matrix of cofactors of a matrix up to 4 x 4: its product with the matrix is the determinant times the
/// identity.
template <class T, std::size_t Rows, std::size_t Columns>
requires(Rows == Columns && Rows <= 4)
[[nodiscard]] constexpr fixed_matrix<T, Rows> adjugate(const fixed_matrix<T, Rows, Columns>& a) {
    return detail::small_adjugate<Rows>(a);
}

/// The inverse: up to 4 x 4 the adjugate times 1 / determinant; of larger matrices by Gauss-Jordan elimination, with
/// the largest element of a column as the pivot where comparing numbers gives a bool, and without exchanges of rows
/// where it does not: for numbers of traced code and lanes. It is not finite if the matrix is singular.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr fixed_matrix<T, Rows, Columns> inverse(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>())
        return a;
    else if constexpr (Rows <= 4)
        return T(T(1) / determinant(a)) * adjugate(a);
    else
        return detail::inverse_by_elimination(a);
}

/// The solution x of A x = b for a vector or matrix b: up to 4 x 4 the adjugate times b, times 1 / determinant; for
/// larger matrices by elimination, as for inverse().
template <class T, std::size_t Rows, std::size_t Columns, class B>
[[nodiscard]] constexpr auto solve(const fixed_matrix<T, Rows, Columns>& a, const B& b) {
    if constexpr (detail::is_square<Rows, Columns>() && detail::is_right_side<Rows, B>()) {
        using result = detail::with_numbers_of<B, T>;
        using number = typename result::value_type;
        if constexpr (Rows <= 4) {
            return result(T(T(1) / determinant(a)) * (adjugate(a) * b));
        } else {
            constexpr std::size_t width = std::size_t{B::count} / Rows;
            fixed_matrix<number, Rows, width> right;
            for (std::size_t i = 0; i < Rows * width; ++i) right.numbers[i] = static_cast<number>(b.numbers[i]);
            right = detail::solved_by_elimination(fixed_matrix<number, Rows>(a), right);
            result r;
            for (std::size_t i = 0; i < Rows * width; ++i) r.numbers[i] = right.numbers[i];
            return r;
        }
    }
}

// Positive definite matrices
// -------------------------------------------------------------------------------------------------------------

/// The Cholesky factorization A = L L^T of a symmetric positive definite matrix; pass it to solve, inverse, log_det and
/// determinant in place of A.
template <class T, std::size_t N>
struct cholesky_factor {
    /// L; zeros above the diagonal.
    fixed_matrix<T, N> lower;
    /// The reciprocals of its diagonal.
    fixed_vector<T, N> reciprocals;
};

/// Factors a symmetric positive definite matrix, of which it reads the lower triangle. The factor of another matrix has
/// elements that are NaN or infinite.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr cholesky_factor<T, Rows> cholesky(const fixed_matrix<T, Rows, Columns>& a) {
    cholesky_factor<T, Rows> f;
    if constexpr (detail::is_square<Rows, Columns>()) {
        detail::for_each_index<Rows>([&](const auto index) __attribute__((always_inline)) {
            const std::size_t j = index;
            T square = a(j, j);
            for (std::size_t k = 0; k < j; ++k) square = square - f.lower(j, k) * f.lower(j, k);
            f.lower(j, j) = evaluation::sqrt(square);
            f.reciprocals[j] = T(1) / f.lower(j, j);
            for (std::size_t i = j + 1; i < Rows; ++i) {
                T sum = a(i, j);
                for (std::size_t k = 0; k < j; ++k) sum = sum - f.lower(i, k) * f.lower(j, k);
                f.lower(i, j) = sum * f.reciprocals[j];
            }
        });
    }
    return f;
}

template <class T, std::size_t N, class B>
[[nodiscard]] constexpr auto solve(const cholesky_factor<T, N>& f, const B& b) {
    if constexpr (detail::is_right_side<N, B>()) {
        constexpr std::size_t width = std::size_t{B::count} / N;
        detail::with_numbers_of<B, T> x(b);
        using number = typename decltype(x)::value_type;
        for (std::size_t c = 0; c < width; ++c) {
            detail::for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
                const std::size_t i = index;
                number y = x.numbers[i * width + c];
                for (std::size_t k = 0; k < i; ++k) y = y - f.lower(i, k) * x.numbers[k * width + c];
                x.numbers[i * width + c] = y * f.reciprocals[i];
            });
            detail::for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
                const std::size_t i = N - 1 - index;
                number y = x.numbers[i * width + c];
                for (std::size_t k = i + 1; k < N; ++k) y = y - f.lower(k, i) * x.numbers[k * width + c];
                x.numbers[i * width + c] = y * f.reciprocals[i];
            });
        }
        return x;
    }
}

template <class T, std::size_t N>
[[nodiscard]] constexpr fixed_matrix<T, N> inverse(const cholesky_factor<T, N>& f) {
    return solve(f, fixed_matrix<T, N>::identity());
}

/// log det A
template <class T, std::size_t N>
[[nodiscard]] constexpr T log_det(const cholesky_factor<T, N>& f) {
    T sum = evaluation::log(f.lower(0, 0));
    for (std::size_t i = 1; i < N; ++i) sum = sum + evaluation::log(f.lower(i, i));
    return T(2) * sum;
}

template <class T, std::size_t N>
[[nodiscard]] constexpr T determinant(const cholesky_factor<T, N>& f) {
    T product = f.lower(0, 0);
    for (std::size_t i = 1; i < N; ++i) product = product * f.lower(i, i);
    return product * product;
}

// Vectors
// -------------------------------------------------------------------------------------------------------------

/// The scalar product v0 * w0 + v1 * w1 + ..., added from the left.
template <class T, class U, std::size_t Size>
[[nodiscard]] constexpr auto dot(const fixed_vector<T, Size>& v, const fixed_vector<U, Size>& w) {
    typename detail::number_of_both<T, U>::type sum = v[0] * w[0];
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

template <class T, class U>
[[nodiscard]] constexpr auto cross(const fixed_vector<T, 3>& v, const fixed_vector<U, 3>& w) {
    using number = typename detail::number_of_both<T, U>::type;
    return fixed_vector<number, 3>{number(v[1] * w[2] - v[2] * w[1]), number(v[2] * w[0] - v[0] * w[2]),
                                   number(v[0] * w[1] - v[1] * w[0])};
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

// Rotations
// -------------------------------------------------------------------------------------------------------------

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

} // namespace chainrule
