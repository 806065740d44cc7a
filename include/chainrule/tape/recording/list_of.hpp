// SPDX-License-Identifier: BSL-1.0
//
// The lists that functions of a tape take, and the memory into which they write results: vectors, arrays, spans,
// vectors and matrices of Eigen (which this header does not include), and other ranges, of active numbers or of others
// that hold them.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/active.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace chainrule::tape {

/// A vector, a matrix or an expression of Eigen.
template <class X>
concept matrix_object = requires {
    typename X::PlainObject;
    typename X::Scalar;
    int{X::RowsAtCompileTime};
};

/// Whether it is a matrix, and not a vector, that is stored row by row. Its numbers are in order column by column, as
/// those of others.
template <class X>
inline constexpr bool is_stored_by_rows = false;
template <matrix_object X>
inline constexpr bool is_stored_by_rows<X> =
    bool{X::PlainObject::IsRowMajor} && !bool{X::PlainObject::IsVectorAtCompileTime};

namespace lists {

/// Whether an element of type M is an N or holds one.
template <class M, class N>
consteval bool holds() {
    if constexpr (requires { typename M::held_number; })
        return std::same_as<typename M::held_number, N>;
    else
        return std::same_as<M, N>;
}
/// Whether X is a list of N, or of numbers that hold one, whose numbers are not in consecutive places.
template <class X, class N>
consteval bool must_be_copied() {
    if constexpr (std::convertible_to<const X&, std::span<const N>>)
        return false;
    else if constexpr (matrix_object<X>)
        return holds<typename X::Scalar, N>();
    else if constexpr (std::ranges::input_range<const X&>)
        return holds<std::ranges::range_value_t<const X&>, N>();
    else
        return false;
}

} // namespace lists

/// The numbers of a list in order, those of a matrix of Eigen column by column, however it is stored. Refers to a list
/// of N in consecutive places and copies from others, whose elements may also hold an N, as `eager` numbers do. A
/// parameter of a function.
template <class N>
class list_of {
public:
    template <class X>
    requires std::convertible_to<const X&, std::span<const N>>
    list_of(const X& list) : numbers_(list) {}
    template <class X>
    requires(lists::must_be_copied<X, N>())
    list_of(const X& list) : copies_(copies_of(list)), numbers_(copies_) {}
    list_of(std::initializer_list<N> list) : numbers_(list.begin(), list.size()) {}
    list_of(const list_of&) = delete;
    list_of& operator=(const list_of&) = delete;

    [[nodiscard]] std::span<const N> numbers() const { return numbers_; }

private:
    std::vector<N> copies_;
    std::span<const N> numbers_;

    template <class X>
    static std::vector<N> copies_of(const X& list) {
        std::vector<N> all;
        const auto add = [&all](const auto& x) {
            if constexpr (requires { x.held(); })
                all.push_back(x.held());
            else
                all.push_back(x);
        };
        if constexpr (matrix_object<X>) {
            const typename X::PlainObject evaluated(list);
            for (std::ptrdiff_t j = 0; j < evaluated.cols(); ++j)
                for (std::ptrdiff_t i = 0; i < evaluated.rows(); ++i) add(evaluated.coeff(i, j));
        } else {
            for (const auto& x : list) add(x);
        }
        return all;
    }
};

namespace lists {

/// Whether X is an object of Eigen whose numbers are N, may be written, and follow one another row by row: a vector, or
/// a whole matrix that is stored so.
template <class X, class N>
consteval bool is_memory() {
    using object = std::remove_reference_t<X>;
    if constexpr (requires(object& x) {
                      requires matrix_object<std::remove_const_t<object>>;
                      { x.data() } -> std::same_as<N*>;
                  }) {
        constexpr bool owner = std::same_as<object, typename object::PlainObject>;
        if (owner && !std::is_lvalue_reference_v<X>) return false; // a temporary
        return object::IsVectorAtCompileTime ? int{object::InnerStrideAtCompileTime} == 1
                                             : owner && bool{object::IsRowMajor};
    } else {
        return false;
    }
}
/// Whether X is another list of plain numbers, which the caller may take for such memory.
template <class X, class N>
consteval bool is_no_memory() {
    using object = std::remove_cvref_t<X>;
    if constexpr (std::convertible_to<X, std::span<N>> || is_memory<X, N>())
        return false;
    else if constexpr (matrix_object<object>)
        return std::is_arithmetic_v<typename object::Scalar>;
    else if constexpr (std::ranges::input_range<X>)
        return std::is_arithmetic_v<std::ranges::range_value_t<X>>;
    else
        return false;
}

} // namespace lists

/// Memory of the caller for results: a span, or what converts to one, such as a vector or an array; a vector of Eigen
/// or a map of one, whose elements follow one another; a matrix of Eigen that is stored row by row. A parameter of a
/// function, which throws if the results are not as many as its elements, or if they are a matrix of another shape.
template <class N>
class memory_of : public std::span<N> {
public:
    template <class X>
    requires std::convertible_to<X, std::span<N>>
    memory_of(X&& list) : std::span<N>(std::forward<X>(list)) {}
    template <class X>
    requires(!std::convertible_to<X, std::span<N>> && lists::is_memory<X, N>()) // vectors of Eigen 5 convert
    memory_of(X&& list) : std::span<N>(list.data(), static_cast<std::size_t>(list.size())) {
        if (!bool{std::remove_cvref_t<X>::IsVectorAtCompileTime}) columns_ = static_cast<std::size_t>(list.cols());
    }
    template <class X>
    requires(lists::is_no_memory<X, N>())
    memory_of(X&&) {
        static_assert(!lists::is_no_memory<X, N>(),
                      "memory for results: it is const or temporary, of another number type, or not in order; pass a "
                      "std::span of the point's numbers, a vector, or a matrix that is stored row by row");
    }

    /// Throws if this is a matrix and the result another one; a list is a matrix with one row.
    void check_shape(const char* call, std::size_t rows, std::size_t columns) const {
        if (columns_ == 0 || columns_ == columns || (rows == 1 && columns_ == 1)) return;
        const auto shape = [](std::size_t m, std::size_t n) { return std::to_string(m) + " x " + std::to_string(n); };
        core::raise(
            std::invalid_argument(std::string(call) + ": the memory is a matrix of " +
                                  shape(this->size() / columns_, columns_) + " and the result " +
                                  (rows == 1 ? "a list of " + std::to_string(columns) + " numbers; pass "
                                             : "one of " + shape(rows, columns) + "; pass a matrix of its shape, ") +
                                  "a vector or a std::span"));
    }

private:
    std::size_t columns_ = 0; // of a matrix
};

/// A list of active numbers, or of numbers that hold them.
template <class X, class T>
concept list_of_actives = std::convertible_to<const X&, list_of<active<T>>>;

} // namespace chainrule::tape
