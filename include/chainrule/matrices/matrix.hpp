// SPDX-License-Identifier: BSL-1.0
//
// Matrices of expressions: matrix(rows...), identity<n>, A(i, j), transpose, trace, outer. Their operators are those of
// expression/arrays.hpp.
#pragma once

#include <chainrule/expression/vector_functions.hpp>
#include <chainrule/entry/evaluate.hpp>
#include <chainrule/symbolic/jacobian.hpp>

namespace chainrule {

namespace detail {

// The formulas of matrices are those of expressions and of numbers: matrices/fixed_matrix.hpp has arrays of numbers.
template <class A>
inline constexpr bool holds_numbers = false;

// The vector (0 columns) or matrix of the given elements, like A.
template <std::size_t Columns, class A, class... E>
CHAINRULE_PER_NODE auto array_like(const A&, E... e) {
    if constexpr (holds_numbers<A>)
        return A::template array<Columns>(e...);
    else
        return array_of<Columns>(e...);
}
template <std::int64_t Numerator, std::int64_t Denominator = 1, class A>
CHAINRULE_PER_NODE auto constant_like(const A&) {
    using node = typename constant<Numerator, Denominator>::node;
    if constexpr (holds_numbers<A>)
        return A::template constant<node>();
    else
        return node{};
}
// An intermediate result that is used several times: for arrays of numbers a number, so that operators of active
// numbers, which return expressions, do not repeat it.
template <class A, class E>
CHAINRULE_PER_NODE auto settled(const A&, E e) {
    if constexpr (holds_numbers<A>)
        return static_cast<typename A::value_type>(e);
    else
        return e;
}
#define CHAINRULE_OF_ELEMENT(NAME)                                                                                     \
    template <class E>                                                                                                 \
    CHAINRULE_PER_NODE auto number_##NAME(E e) {                                                                       \
        if constexpr (expression<E>)                                                                                   \
            return NAME(e);                                                                                            \
        else                                                                                                           \
            return evaluation::NAME(e);                                                                                \
    }
CHAINRULE_OF_ELEMENT(sqrt)
CHAINRULE_OF_ELEMENT(sin)
CHAINRULE_OF_ELEMENT(cos)
#undef CHAINRULE_OF_ELEMENT
// One number or another, by a condition that is not a bool.
template <class C, class A, class B>
CHAINRULE_PER_NODE auto choice_of(C condition, A a, B b) {
    if constexpr (expression<A>)
        return select(condition, a, b);
    else
        return kernel::chosen(condition, a, b);
}

template <std::size_t First, std::size_t Step, std::size_t... K, class A>
CHAINRULE_PER_NODE auto elements_from(std::index_sequence<K...>, A a) {
    return array_of<0>(element_at<First + K * Step>(a)...);
}
template <std::size_t Row, std::size_t Column, class First, class... Rest>
CHAINRULE_PER_NODE auto element_of_row([[maybe_unused]] First first, [[maybe_unused]] Rest... rest) {
    if constexpr (Row == 0)
        return element_at<Column>(first);
    else
        return element_of_row<Row - 1, Column>(rest...);
}

} // namespace detail

template <std::size_t Columns, class Elements>
struct expressions::members_of_matrix : elements_in_order<long_list<Elements>>,
                                        array_operators,
                                        bound_to_ranges<Elements, Columns> {
    using chainrule_expression = several; // not one expression
    using list = long_list<Elements>;
    enum : std::size_t { columns = Columns, count = std::size_t{list::size}, rows = count / Columns };

    /// given(a = rows) binds numbers to a matrix of variables, row by row.
    using bound_to_ranges<Elements, Columns>::operator=;

    template <std::size_t I>
    [[nodiscard, gnu::always_inline]] constexpr auto get() const {
        constexpr bool there = I < std::size_t{rows};
        static_assert(there, "matrix: the index in A[...] or A.get<i>() is past the last row; indices start at 0");
        return detail::elements_from<there ? I * Columns : 0, 1>(std::make_index_sequence<Columns>{}, *this);
    }
    /// A[0_c]: a row as a vector.
    template <class Index>
    [[nodiscard, gnu::always_inline]] constexpr auto operator[](Index) const {
        constexpr int i = constant_index<Index>();
        static_assert(
            i >= 0, "matrix: the index in A[...] is not a non-negative exact constant; write A[0_c] for the first row");
        if constexpr (i >= 0)
            return get<std::size_t{i < 0 ? 0 : i}>();
        else
            return no_element<>{};
    }
    /// A(0_c, 1_c): the element in the first row and the second column. A(x = 2.0, y = 5.0): the values of all
    /// elements, as an array of arrays, from one program.
    template <class... U>
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(U... arguments) const {
        if constexpr (sizeof...(U) == 2 && core::all_true({(constant_index<U>() >= 0)..., true})) {
            constexpr std::size_t place[] = {std::size_t{constant_index<U>()}...};
            constexpr bool there = place[0] < std::size_t{rows} && place[1] < Columns;
            static_assert(there, "matrix: an index in A(i, j) is past the last row or column; indices start at 0");
            if constexpr (there) return element_at<place[0] * Columns + place[1]>(*this);
        } else if constexpr (core::any_true({(std::is_integral_v<U> || expression<U>)..., false})) {
            constexpr bool indices = sizeof...(U) > 1000;
            static_assert(
                indices,
                "matrix: an index in A(i, j) is not a non-negative exact constant, or there are not two; write "
                "A(0_c, 1_c) for the second element of the first row, and A[0_c] for the row");
            return no_element<>{};
        } else {
            return evaluate_matrix(*this, arguments...);
        }
    }
};

/// A matrix of expressions, stored by rows. A(0_c, 1_c) is an element, A[0_c] a row, auto [row0, row1] = A names the
/// rows, and A(x = 2.0) computes the values of all elements. Functions that take several expressions treat it as the
/// vector of its elements.
template <std::size_t Columns, class... E>
struct expression_matrix : expressions::members_of_matrix<Columns, expressions::short_list<core::type_list<E...>>> {
    using expressions::members_of_matrix<Columns, expressions::short_list<core::type_list<E...>>>::operator=;
};

/// The matrix of more than four expressions, under a short name.
template <std::size_t Columns, int Size, core::hash_value Hash>
struct long_matrix : expressions::array_with<Columns, expressions::long_list<abbreviated_list<Size, Hash>>> {
    using expressions::members_of_matrix<Columns, abbreviated_list<Size, Hash>>::operator=;
};

/// The vector of all elements of a matrix, row by row.
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto elements(const expressions::members_of_matrix<Columns, Elements>& a) {
    return detail::elements_from<0, 1>(expressions::indices_of<expressions::members_of_matrix<Columns, Elements>>{}, a);
}

namespace detail {

template <std::size_t Columns, std::size_t... I, class... Row>
CHAINRULE_PER_NODE auto matrix_of_rows(std::index_sequence<I...>, Row... rows) {
    return array_of<Columns>(element_of_row<I / Columns, I % Columns>(rows...)...);
}
template <std::size_t Columns, std::size_t... I, class V>
CHAINRULE_PER_NODE auto matrix_of_elements(std::index_sequence<I...>, V v) {
    return array_of<Columns>(element_at<I>(v)...);
}
template <std::size_t Columns, std::size_t... I, class A>
CHAINRULE_PER_NODE auto transposed(std::index_sequence<I...>, A a) {
    return array_of<sizeof...(I) / Columns>(
        element_at<(I % (sizeof...(I) / Columns)) * Columns + I / (sizeof...(I) / Columns)>(a)...);
}
template <std::size_t Columns, std::size_t... I, class V, class W>
CHAINRULE_PER_NODE auto outer_product(std::index_sequence<I...>, V v, W w) {
    return array_of<Columns>(product_of_elements(element_at<I / Columns>(v), element_at<I % Columns>(w))...);
}
template <std::size_t Size, std::size_t... I>
consteval auto identity_matrix(std::index_sequence<I...>) {
    return array_of<Size>(typename constant<(I / Size == I % Size ? 1 : 0), 1>::node{}...);
}
template <std::size_t Step>
struct strided_elements {
    template <std::size_t I, class A>
    [[gnu::always_inline]] static constexpr auto term(const A& a) {
        return element_at<I * Step>(a);
    }
};
template <std::size_t Size, class A>
CHAINRULE_PER_NODE auto sum_of_diagonal(const A& a) {
    return sum_of_terms<strided_elements<Size + 1>, 1, Size - 1>(element_at<0>(a), a);
}

template <class A>
consteval bool is_row() {
    return array_kind_of<A> == array_kind::vector;
}

template <class T>
constexpr T refused_as_matrix() {
    constexpr bool matrix = sizeof(T) == 0;
    static_assert(matrix, "determinant(A), inverse(A), solve(A, v) and others: the first argument is not a matrix, or "
                          "arguments are missing or too many; pass the matrix first, such as matrix(v, w)");
    return T();
}

} // namespace detail

/// The matrix with the given rows, which are vectors of equal size.
/// Example: `matrix(vector(cos(t), -sin(t)), vector(sin(t), cos(t)))`
template <class Row, class... Rows>
CHAINRULE_PER_NODE auto matrix(Row first, Rows... rows) {
    constexpr bool vectors = core::all_true({detail::is_row<Row>(), detail::is_row<Rows>()...});
    static_assert(vectors,
                  "matrix: an argument is not a vector; pass the rows, as in matrix(vector(a, b), vector(c, d))");
    if constexpr (vectors) {
        constexpr std::size_t columns{Row::count};
        constexpr bool even = core::all_true({std::size_t{Rows::count} == columns..., true});
        static_assert(even, "matrix: the rows have different sizes; pass rows of equal size");
        if constexpr (even)
            return detail::matrix_of_rows<columns>(std::make_index_sequence<(1 + sizeof...(Rows)) * columns>{}, first,
                                                   rows...);
    }
}

/// The matrix with that many columns of the elements of a vector, row by row, as in matrix<3>(variables<"a", 9>).
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto matrix(const expressions::members_of_vector<Elements>& v) {
    using vector = expressions::members_of_vector<Elements>;
    constexpr bool even = Columns > 0 && std::size_t{vector::count} % (Columns > 0 ? Columns : 1) == 0;
    static_assert(even, "matrix<n>: the vector does not fill rows of n elements; pass a vector of a multiple of n");
    if constexpr (even) return detail::matrix_of_elements<Columns>(expressions::indices_of<vector>{}, v);
}

template <std::size_t Columns, class T = expressions::exact_zero>
constexpr T matrix(...) {
    constexpr bool vector = sizeof(T) == 0;
    static_assert(vector, "matrix<n>: the argument is not a vector; pass one, as in matrix<2>(vector(a, b, c, d)), and "
                          "elements(A) of a matrix");
    return T();
}

/// The identity matrix with that many rows, of exact zeros and ones.
template <std::size_t Size>
requires(Size > 0)
inline constexpr auto identity = detail::identity_matrix<Size>(std::make_index_sequence<Size * Size>{});

/// The matrix whose rows are the columns of a.
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto transpose(const expressions::members_of_matrix<Columns, Elements>& a) {
    return detail::transposed<Columns>(expressions::indices_of<expressions::members_of_matrix<Columns, Elements>>{}, a);
}

/// The sum of the diagonal.
template <std::size_t Columns, class Elements>
CHAINRULE_PER_NODE auto trace(const expressions::members_of_matrix<Columns, Elements>& a) {
    constexpr bool square = Columns * Columns == std::size_t{expressions::members_of_matrix<Columns, Elements>::count};
    static_assert(square, "trace: the matrix is not square; pass a square one");
    if constexpr (square) return detail::sum_of_diagonal<Columns>(a);
}

/// The matrix of all products v[i] * w[j].
template <class A, class B>
CHAINRULE_PER_NODE auto outer(const expressions::members_of_vector<A>& v, const expressions::members_of_vector<B>& w) {
    constexpr std::size_t rows{expressions::members_of_vector<A>::count},
        columns{expressions::members_of_vector<B>::count};
    return detail::outer_product<columns>(std::make_index_sequence<rows * columns>{}, v, w);
}

// As in expression/vector_functions.hpp.
#define CHAINRULE_OF_MATRICES(NAME)                                                                                    \
    template <class T = expressions::exact_zero>                                                                       \
    constexpr T NAME(...) {                                                                                            \
        return detail::refused_as_matrix<T>();                                                                         \
    }
CHAINRULE_OF_MATRICES(transpose)
CHAINRULE_OF_MATRICES(trace)
CHAINRULE_OF_MATRICES(elements)
CHAINRULE_OF_MATRICES(determinant)
CHAINRULE_OF_MATRICES(adjugate)
CHAINRULE_OF_MATRICES(solve)
#undef CHAINRULE_OF_MATRICES

/// The values of the elements of a matrix, as an array of arrays.
template <std::size_t Columns, class Elements, class... Arguments>
[[gnu::always_inline]] constexpr auto expressions::evaluate_matrix(const members_of_matrix<Columns, Elements>& f,
                                                                   Arguments... arguments) {
    using matrix = members_of_matrix<Columns, Elements>;
    const auto values = evaluate_vector(chainrule::elements(f), arguments...);
    std::array<std::array<typename decltype(values)::value_type, Columns>, std::size_t{matrix::rows}> result{};
    for (std::size_t i = 0; i < values.size(); ++i) result[i / Columns][i % Columns] = values[i];
    return result;
}

/// The same for a matrix: for the vector of its elements, row by row.
template <std::size_t Columns, class Elements, class... List>
[[nodiscard]] constexpr auto jacobian(const expressions::members_of_matrix<Columns, Elements>& f, List... list) {
    return jacobian(elements(f), list...);
}

} // namespace chainrule

// Structured bindings: auto [row0, row1] = matrix(...).
template <std::size_t Columns, class... E>
struct std::tuple_size<chainrule::expression_matrix<Columns, E...>>
    : std::integral_constant<std::size_t, sizeof...(E) / Columns> {};
template <std::size_t I, std::size_t Columns, class... E>
struct std::tuple_element<I, chainrule::expression_matrix<Columns, E...>> {
    using type = decltype(std::declval<chainrule::expression_matrix<Columns, E...>>().template get<I>());
};
template <std::size_t Columns, int Size, chainrule::core::hash_value Hash>
struct std::tuple_size<chainrule::long_matrix<Columns, Size, Hash>>
    : std::integral_constant<std::size_t, std::size_t{Size} / Columns> {};
template <std::size_t I, std::size_t Columns, int Size, chainrule::core::hash_value Hash>
struct std::tuple_element<I, chainrule::long_matrix<Columns, Size, Hash>> {
    using type = decltype(std::declval<chainrule::long_matrix<Columns, Size, Hash>>().template get<I>());
};
