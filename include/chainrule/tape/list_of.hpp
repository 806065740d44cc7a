// SPDX-License-Identifier: BSL-1.0
//
// The lists that functions of a tape take: vectors, arrays, spans, vectors and matrices of Eigen (which this header
// does not include), and other ranges, of active numbers or of others that hold them.
#pragma once

#include <chainrule/tape/active.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

namespace chainrule::tape {

/// A vector, a matrix or an expression of Eigen.
template <class X>
concept matrix_object = requires {
    typename X::PlainObject;
    typename X::Scalar;
    int{X::RowsAtCompileTime};
};

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

/// The numbers of a list in order, those of a matrix of Eigen as in memory. Refers to a list of N in consecutive places
/// and copies from others, whose elements may also hold an N, as `eager` numbers do. A parameter of a function.
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
            for (std::ptrdiff_t i = 0; i < evaluated.size(); ++i) add(evaluated.data()[i]);
        } else {
            for (const auto& x : list) add(x);
        }
        return all;
    }
};

/// A list of active numbers, or of numbers that hold them.
template <class X, class T>
concept list_of_actives = std::convertible_to<const X&, list_of<active<T>>>;

} // namespace chainrule::tape
