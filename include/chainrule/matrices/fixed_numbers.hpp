// SPDX-License-Identifier: BSL-1.0
//
// The numbers of fixed matrices and vectors (matrices/fixed_matrix.hpp) and their operators, whose sums and products
// are loops.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/matrices/matrix.hpp>
#include <chainrule/trace/number.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

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

/// The type of a number, also of what a formula of active numbers (tape/) records.
template <class T>
using number_recorded = typename std::conditional_t<expressions::formula_of_actives<T>, expressions::active_type<T>,
                                                    std::type_identity<T>>::type;

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

// The type of the numbers in braces: one that is not plain, such as a number of traced code, or else the largest plain
// type; for integers alone, double.
template <class T, class... Rest>
struct number_of_all {
    using type = number_recorded<T>;
};
template <std::integral T>
struct number_of_all<T> {
    using type = double;
};
template <class T, class U, class... Rest>
struct number_of_all<T, U, Rest...>
    : number_of_all<typename number_of_both<number_recorded<T>, number_recorded<U>>::type, Rest...> {};

/// The position of the element or row that a constant such as 0_c names, of so many.
template <class Index, std::size_t Size>
consteval std::size_t position_of() {
    constexpr int i = expressions::constant_index<Index>();
    constexpr bool there = 0 <= i && i < int{Size};
    static_assert(there,
                  "fixed_matrix, fixed_vector: the index in v[...] or A[...] is not a constant such as 0_c, or is "
                  "past the last; indices start at 0");
    return there ? static_cast<std::size_t>(i) : 0;
}

/// Refuses integers, whose quotients and roots would be truncated; what follows compiles as for double.
template <class T>
consteval bool are_refused() {
    static_assert(!std::integral<T>, "fixed_matrix, fixed_vector: the numbers are integers, whose quotients and roots "
                                     "would be truncated; write double, as in fixed_vector<double, 3>");
    return true;
}

/// Whether matrices of these numbers are computed in SIMD lanes at run time.
template <class T>
#if defined(CHAINRULE_ON_DEVICE)
inline constexpr bool in_lanes = false;
#else
inline constexpr bool in_lanes = std::is_same_v<T, double> || std::is_same_v<T, float>;
#endif

struct number_array;
/// Whether A is a fixed vector or matrix. (Operators ask: they are also found for others, such as iterators of these.)
template <class A>
inline constexpr bool is_fixed = std::is_base_of_v<number_array, A>;

/// The operators of fixed vectors and matrices; found as hidden friends of their base, so that they are not candidates
/// for single expressions.
struct number_array {
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr auto operator+(const A& a, const B& b) {
        if constexpr (same_shape<A, B>()) return by_element(a, b, [](const auto& x, const auto& y) { return x + y; });
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
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
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr auto operator*(const A& a, const B& b) {
        if constexpr (array_kind_of<A> == array_kind::scalar)
            return by_number(b, a, [](const auto& x, const auto& s) { return s * x; });
        else if constexpr (array_kind_of<B> == array_kind::scalar)
            return by_number(a, b, [](const auto& x, const auto& s) { return s * x; });
        else if constexpr (factors_fit<A, B>())
            return product(a, b);
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr auto operator/(const A& a, const B& b) {
        if constexpr (is_divisor<B>()) return by_number(a, b, [](const auto& x, const auto& s) { return x / s; });
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr A& operator+=(A& a, const B& b) {
        return a = a + b;
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr A& operator-=(A& a, const B& b) {
        return a = a - b;
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr A& operator*=(A& a, const B& b) {
        return a = a * b;
    }
    template <class A, class B>
    requires(is_fixed<A> || is_fixed<B>)
    friend constexpr A& operator/=(A& a, const B& b) {
        return a = a / b;
    }

private:
    // The columns of a product from First on, in lanes of 4, 2 and 1 from 4 columns on: of loops, compilers pack narrow
    // products well and wide ones badly.
    template <std::size_t Inner, std::size_t Height, std::size_t Width, std::size_t First, class X, class Y, class T>
    [[gnu::always_inline]] static constexpr void multiply_columns(const X* a, const Y* b, T* r) {
        constexpr std::size_t left = Width - First, lanes = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if constexpr (Width >= 4 && in_lanes<T> && std::is_same_v<X, T> && std::is_same_v<Y, T>) {
            if (!std::is_constant_evaluated()) {
                // By pointers: of copies by memcpy, g++ 12 makes moves of integers.
                typedef T lane_numbers
                    [[gnu::vector_size(lanes * sizeof(T)), gnu::aligned(alignof(T)), gnu::may_alias]];
                for (std::size_t i = 0; i < Height; ++i) {
                    auto sum = a[i * Inner] * *reinterpret_cast<const lane_numbers*>(b + First);
                    for (std::size_t k = 1; k < Inner; ++k)
                        sum = sum + a[i * Inner + k] * *reinterpret_cast<const lane_numbers*>(b + k * Width + First);
                    *reinterpret_cast<lane_numbers*>(r + i * Width + First) = sum;
                }
                if constexpr (left > lanes) multiply_columns<Inner, Height, Width, First + lanes>(a, b, r);
                return;
            }
        }
        for (std::size_t i = 0; i < Height; ++i)
            for (std::size_t j = First; j < Width; ++j) {
                T sum = a[i * Inner] * b[j];
                for (std::size_t k = 1; k < Inner; ++k) sum = sum + a[i * Inner + k] * b[k * Width + j];
                r[i * Width + j] = sum;
            }
    }
    template <class A, class B, class Compute>
    static constexpr auto by_element(const A& a, const B& b, const Compute& compute) {
        typename A::template with_number<typename number_of_both<typename A::value_type, typename B::value_type>::type>
            r;
        for (std::size_t i = 0; i < std::size_t{A::count}; ++i) r.numbers[i] = compute(a.numbers[i], b.numbers[i]);
        return r;
    }
    template <class A, class S, class Compute>
    static constexpr auto by_number(const A& a, const S& s, const Compute& compute) {
        if constexpr (expressions::formula_of_actives<S>) {
            return by_number(a, number_recorded<S>(s), compute);
        } else {
            typename A::template with_number<typename number_of_both<typename A::value_type, S>::type> r;
            for (std::size_t i = 0; i < std::size_t{A::count}; ++i) r.numbers[i] = compute(a.numbers[i], s);
            return r;
        }
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
        multiply_columns<inner, height, width, 0>(a.numbers, b.numbers, r.numbers);
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

} // namespace chainrule
