// SPDX-License-Identifier: BSL-1.0
//
// Columns: the numbers of one variable at many points; element n belongs to point n. How ranges become columns, and
// lists of columns. batch/data/tables.hpp has columns() and rows().
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/batch/data/multidimensional.hpp>
#include <chainrule/batch/data/owners.hpp>
#include <chainrule/core/for_each_index.hpp>
#include <chainrule/expression/leaves.hpp>

#include <type_traits>
#include <utility>

namespace chainrule {

namespace batches {

/// How the numbers of a column follow one another: as in an array, some elements apart, or one for all points.
enum class layout : unsigned char { contiguous, strided, common };

/// A column: a number per point. T is const for inputs.
template <class T, layout Layout>
struct column_view {
    T* first;
    std::size_t size;
    std::ptrdiff_t stride; // in elements

    [[nodiscard]] constexpr T* begin() const
    requires(Layout == layout::contiguous)
    {
        return first;
    }
    [[nodiscard]] constexpr T* end() const
    requires(Layout == layout::contiguous)
    {
        return first + size;
    }
};

/// One number for all points.
template <class T>
struct common_number {
    T value;
};

/// Columns, in the order of the variables or with their names.
template <class T, class Names, layout... Layouts>
struct column_list {
    using number = T;
    using names = Names;
    static constexpr std::size_t count = sizeof...(Layouts);
    static constexpr layout layouts[count] = {Layouts...};
    T* first[count];
    std::size_t size[count];
    std::ptrdiff_t stride[count];
    std::remove_const_t<T> common[count];
};

// The kinds of arguments ---------------------------------------------------------------------------------------------

template <class C>
inline constexpr bool is_column_view = false;
template <class T, layout Layout>
inline constexpr bool is_column_view<column_view<T, Layout>> = true;
template <class C>
inline constexpr bool is_column_list = false;
template <class T, class Names, layout... Layouts>
inline constexpr bool is_column_list<column_list<T, Names, Layouts...>> = true;
template <class C>
inline constexpr bool is_common = std::is_arithmetic_v<C>;
template <class T>
inline constexpr bool is_common<common_number<T>> = true;

template <class C>
concept array_of_any_kind = requires(C& c) {
    c.data();
    c.size();
};
/// data() of a vector of Boost.uBLAS is another range.
template <class C>
concept array_in_memory = array_of_any_kind<C> && std::is_pointer_v<decltype(std::declval<C&>().data())>;
template <class T>
inline constexpr bool is_text_or_range = array_of_any_kind<T> || std::is_pointer_v<std::remove_const_t<T>>;

/// A range of numbers as a column, with the const of its elements.
template <class C>
[[nodiscard]] constexpr auto column_of(C& c) {
    using plain = std::remove_const_t<C>;
    if constexpr (is_column_view<plain>) {
        return c;
    } else if constexpr (multidimensional<plain>) {
        static_assert(in_memory<plain>());
        static_assert(rank_of<plain> == 1,
                      "columns: a std::mdspan that is a column must have rank 1; pass columns(m) or "
                      "rows(m) for a matrix of rank 2");
        using T = span_element<plain>;
        return column_view<T, layout::strided>{c.data_handle(), static_cast<std::size_t>(c.extent(0)),
                                               static_cast<std::ptrdiff_t>(c.stride(0))};
    } else if constexpr (detail::eigen_array<plain>) {
        constexpr bool in_memory = plain::InnerStrideAtCompileTime != 0;
        static_assert(in_memory, "columns: an Eigen expression has no memory that can be read in place; call its "
                                 "eval() and keep the result");
        using T = std::remove_pointer_t<decltype(c.data())>;
        return column_view<T, is_contiguous_column<plain> ? layout::contiguous : layout::strided>{
            c.data(), static_cast<std::size_t>(c.size()), distance_of_numbers("columns", c)};
    } else if constexpr (std::is_array_v<C>) {
        return column_view<std::remove_extent_t<C>, layout::contiguous>{c, std::extent_v<C>, 1};
    } else {
        constexpr bool contiguous = array_in_memory<C>;
        static_assert(contiguous, "columns: an argument is neither a number nor a range with data() and size(); pass "
                                  "std::vectors, std::arrays, std::spans or Eigen vectors, or column(pointer, n)");
        if constexpr (contiguous)
            return column_view<std::remove_pointer_t<decltype(c.data())>, layout::contiguous>{
                c.data(), static_cast<std::size_t>(c.size()), 1};
        else // a column, so that nothing but the sentence is wrong
            return column_view<const double, layout::contiguous>{nullptr, 0, 1};
    }
}

template <class C>
inline constexpr layout layout_of = layout::common;
template <class T, layout Layout>
inline constexpr layout layout_of<column_view<T, Layout>> = Layout;

// The number type of columns; common numbers do not count.
template <class C>
struct element_of {
    using type = kernel::none;
};
template <class T, layout Layout>
struct element_of<column_view<T, Layout>> {
    using type = T;
};
template <class A, class B>
consteval auto operator+(std::type_identity<A> a, std::type_identity<B> b) {
    constexpr bool same = std::same_as<std::remove_const_t<A>, std::remove_const_t<B>> ||
                          std::same_as<A, kernel::none> || std::same_as<B, kernel::none>;
    static_assert(same, "columns: the columns hold numbers of different types; give all of them one type, float or "
                        "double");
    if constexpr (std::same_as<A, kernel::none> || std::is_const_v<B>)
        return b;
    else
        return a;
}
// A function: g++ 11 does not find the operator from the alias.
template <class... T>
consteval auto join_elements(T... types) {
    return (std::type_identity<kernel::none>{} + ... + types);
}
template <class A, class B, class C, class D, class E, class F, class G, class H, class... T>
consteval auto join_elements(A a, B b, C c, D d, E e, F f, G g, H h, T... further) {
    return join_elements(a + b + c + d + e + f + g + h, further...);
}
template <class... C>
using common_element = typename decltype(join_elements(std::type_identity<typename element_of<C>::type>{}...))::type;

// An argument of columns() as a column or a common number.
template <class C>
[[nodiscard]] constexpr auto as_column(C& c) {
    if constexpr (std::is_arithmetic_v<std::remove_const_t<C>>)
        return common_number<std::remove_const_t<C>>{c};
    else if constexpr (is_common<std::remove_const_t<C>>)
        return c;
    else
        return column_of(c);
}

template <class List, class C>
constexpr void put(List& list, std::size_t at, const C& column) {
    using number = std::remove_const_t<typename List::number>;
    if constexpr (is_common<C>) {
        list.first[at] = nullptr;
        list.size[at] = 0;
        list.stride[at] = 0;
        list.common[at] = static_cast<number>(column.value);
    } else if constexpr (std::convertible_to<decltype(column.first), typename List::number*>) {
        list.first[at] = column.first;
        list.size[at] = column.size;
        list.stride[at] = column.stride;
    }
}

template <class Names, class... C>
[[nodiscard]] constexpr auto make_columns(const C&... columns) {
    using element = common_element<C...>;
    constexpr bool numbers = !is_text_or_range<element>;
    static_assert(numbers,
                  "columns: the elements of a range are text or ranges; convert text to numbers, and pass points "
                  "that are std::arrays as rows(points)");
    constexpr bool fractional = !std::is_integral_v<element>;
    static_assert(fractional, "columns: the elements of a range are integers, in which 3 / 2 is 1; keep them as float "
                              "or double");
    using replacement = std::conditional_t<fractional || std::is_const_v<element>, const double, double>;
    using T = std::conditional_t<!numbers || !fractional || std::same_as<element, kernel::none>, replacement, element>;
    column_list<T, Names, layout_of<C>...> list{};
    std::size_t at = 0;
    core::for_each_argument([&](const auto& column) { put(list, at++, column); }, columns...);
    return list;
}

// x = value, in columns(). A variable refers to a range that owns its numbers, and holds anything else.
template <class T>
inline constexpr bool is_range_reference = false;
template <class Range>
inline constexpr bool is_range_reference<expressions::range_reference<Range>> = true;
template <class Variable, class T>
[[nodiscard]] constexpr auto as_named_column(const binding<Variable, T>& named) {
    if constexpr (is_range_reference<T>) {
        return column_of(*named.value.range);
    } else {
        constexpr bool borrowed =
            is_common<T> || is_column_view<T> ||
            ((multidimensional<T> || detail::eigen_array<T> || std::is_trivially_copyable_v<T>) && !owns_numbers<T>());
        static_assert(borrowed, "columns: x = v is given a temporary range, whose numbers will be gone; keep it in a "
                                "variable");
        return as_column(named.value);
    }
}

} // namespace batches

/// One number for all points, where columns() takes a range: columns(xs, common(2.0)).
template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] constexpr batches::common_number<T> common(T number) {
    return {number};
}

/// A range of numbers as a column; with a name in columns(x = xs, k = 0.5).
template <class Range>
requires(!std::is_pointer_v<Range>)
[[nodiscard]] constexpr auto column(Range&& range) {
    return batches::column_of(range);
}
/// `size` numbers in memory, `stride` elements apart.
template <class T>
[[nodiscard]] constexpr batches::column_view<T, batches::layout::contiguous> column(T* first, std::size_t size) {
    return {first, size, 1};
}
template <class T>
[[nodiscard]] constexpr batches::column_view<T, batches::layout::strided> column(T* first, std::size_t size,
                                                                                 std::ptrdiff_t stride) {
    return {first, size, stride};
}

} // namespace chainrule
