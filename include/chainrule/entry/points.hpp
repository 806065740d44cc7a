// SPDX-License-Identifier: BSL-1.0
//
// Points, directions and weights: which arguments are numbers, which are ranges of numbers, and how these are read. A
// range whose type guarantees contiguous storage is read in place; any other range is copied or rejected.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/expression/refusals.hpp>
#include <chainrule/kernel/numbers.hpp>

#include <array>
#include <cstddef>
#include <new> // std::exception, in a third of the tokens of <exception>

namespace chainrule {

/// Thrown by a positional function if a range has the wrong size and the size is known only at run time. (Not derived
/// from std::invalid_argument, whose header takes as long to compile as the rest of the library.)
class wrong_size : public std::exception {
public:
    explicit wrong_size(const char* sentence) noexcept : sentence_(sentence) {}
    [[nodiscard]] const char* what() const noexcept override { return sentence_; }

private:
    const char* sentence_;
};

namespace detail {

/// The kinds of arguments, by how their numbers are read.
enum class source : unsigned char {
    number,
    in_place,  // a contiguous range
    strided,   // an Eigen vector with a stride
    evaluated, // an Eigen expression
    copied,    // any other range
    listed,    // a tuple of Boost.Hana
    pointer,
    matrix,   // an Eigen matrix
    symbolic, // expressions without values
    unknown,
};

// Eigen vectors are not contiguous ranges of the standard library, even if they are contiguous. Their stride is 0 if
// they are not in memory.
template <class P>
concept eigen_array = requires {
    P::IsVectorAtCompileTime;
    P::InnerStrideAtCompileTime;
};

namespace ranges {

using std::begin;
using std::end;

template <class P>
CHAINRULE_STEP constexpr auto first_of(const P& range) -> decltype(begin(range)) {
    return begin(range);
}
template <class P>
CHAINRULE_STEP constexpr auto last_of(const P& range) -> decltype(end(range)) {
    return end(range);
}

} // namespace ranges

template <class P>
concept any_range = requires(const P& p) {
    *ranges::first_of(p);
    ranges::last_of(p);
};

// <array> provides the iterator concepts in every standard library; <iterator>, which is required to, would increase
// the compile time by half.
template <class P>
using iterator_of = decltype(ranges::first_of(std::declval<const P&>()));

template <class Element>
inline constexpr bool is_number = std::is_arithmetic_v<Element> && !std::same_as<Element, char>;
template <expression Element>
inline constexpr bool is_number<Element> = !expressions::symbolic<Element>;
template <class Element>
requires(std::is_class_v<Element> && !expression<Element>)
inline constexpr bool is_number<Element> = expressions::storable<Element> && !any_range<Element>;

/// The numbers that an argument lists one by one, each of a type of its own, as a tuple of Boost.Hana does:
/// interop/hana.hpp specialises this, with their `types`, and copy(argument, numbers).
template <class P>
struct numbers_listed {
    using types = void;
};

template <class P>
consteval source source_of() {
    if constexpr (std::is_arithmetic_v<P>)
        return source::number;
    else if constexpr (expressions::symbolic<P>)
        return source::symbolic;
    else if constexpr (expression<P>)
        return source::number;
    else if constexpr (std::is_pointer_v<P>)
        return source::pointer;
    else if constexpr (eigen_array<P>)
        return !P::IsVectorAtCompileTime          ? source::matrix
               : P::InnerStrideAtCompileTime == 1 ? source::in_place
               : P::InnerStrideAtCompileTime == 0 ? source::evaluated
                                                  : source::strided;
    else if constexpr (any_range<P>)
        return !is_number<std::iter_value_t<iterator_of<P>>> ? source::unknown
               : std::contiguous_iterator<iterator_of<P>>    ? source::in_place
                                                             : source::copied;
    else if constexpr (!std::is_void_v<typename numbers_listed<P>::types>)
        return source::listed;
    else
        return expressions::storable<P> ? source::number : source::unknown;
}

template <class P>
inline constexpr source source_for = source_of<P>();
template <class T, std::size_t Size>
requires std::is_arithmetic_v<T>
inline constexpr source source_for<std::array<T, Size>> = source::in_place;

/// The number type of an argument; `none` if it has none.
template <class P, source From = source_for<P>>
struct argument_number {
    using type = std::iter_value_t<iterator_of<P>>;
};
template <class P, source From>
requires(From >= source::pointer)
struct argument_number<P, From> {
    using type = none;
};
template <class... T>
consteval auto number_of_listed(core::type_list<T...>);
template <class P>
struct argument_number<P, source::listed> {
    using type = typename decltype(detail::number_of_listed(typename numbers_listed<P>::types{}))::type;
};
// Refused here, where compilers have not yet written out the class of the function, and by a function: after an error
// in the class, clang leaves out its members.
template <bool Numbers>
consteval bool takes_numbers() {
    static_assert(Numbers, "F.gradient(...), F.jvp(...) and others: an argument is an expression or a vector of them; "
                           "pass numbers, or write gradient(F(x, y)) for derivatives as expressions");
    return true;
}
template <class P>
struct argument_number<P, source::symbolic> {
    enum : bool { refused = takes_numbers<(sizeof(P) == 0)>() };
    using type = none;
};
template <class P>
struct argument_number<P, source::number> {
    using type = std::remove_cv_t<P>;
};
// An argument that is an expression of active numbers is first recorded as an active number.
template <expression P>
struct argument_number<P, source::number> : stored_number<P> {};
template <eigen_array P, source From>
requires(From < source::pointer)
struct argument_number<P, From> {
    using type = typename P::Scalar;
};

template <class... T>
consteval auto number_of_listed(core::type_list<T...>) {
    return std::type_identity<kernel::common_number<typename argument_number<T>::type...>>{};
}

/// The count of numbers in an argument, if its type determines it; else `expected`.
template <class P>
consteval std::size_t size_known(std::size_t expected) {
    if constexpr (source_for<P> == source::number)
        return 1;
    else if constexpr (source_for<P> == source::listed)
        return static_cast<std::size_t>(int{numbers_listed<P>::types::size});
    else if constexpr (std::is_array_v<P>)
        return std::extent_v<P>;
    else if constexpr (requires { std::tuple_size<P>::value; })
        return std::tuple_size<P>::value;
    else if constexpr (requires { P::extent; })
        return P::extent == static_cast<std::size_t>(-1) ? expected : P::extent;
    else if constexpr (eigen_array<P>)
        return int{P::SizeAtCompileTime} < 0 ? expected : static_cast<std::size_t>(int{P::SizeAtCompileTime});
    else
        return expected;
}

/// The role of an argument.
enum class role : unsigned char { point, part, direction, weights };

/// Checks, as far as the type allows, that an argument holds that many numbers.
template <role Role, std::size_t Size, class P>
consteval bool right_numbers() {
    constexpr source from = source_for<P>;
    static_assert(from != source::pointer,
                  "function: a pointer does not determine how many numbers it points to; pass their count too, as "
                  "in std::span(p, 2)");
    static_assert(from != source::matrix,
                  "function: an Eigen matrix does not determine which element is which variable; pass a vector, as "
                  "in m.row(0) or m.reshaped()");
    static_assert(from != source::unknown,
                  "function: an argument is neither a number nor a range of numbers with begin() and end(); pass "
                  "numbers, or a std::array, std::span or std::vector of them");
    constexpr bool readable = from < source::pointer;
    constexpr bool right = !readable || size_known<P>(Size) == Size;
    if constexpr (Role == role::point)
        static_assert(right, "function: the point does not have one number per variable in wrt(...); pass that many");
    else if constexpr (Role == role::direction)
        static_assert(right,
                      "jvp, hvp: the direction does not have one number per variable in wrt(...); pass that many");
    else
        static_assert(right, "vjp, lagrangian_hessian: the weights do not have one number per expression of the "
                             "function; pass that many");
    return readable && right;
}

// Not constexpr: a call in a constant expression is an error. Without exceptions it aborts the program.
[[noreturn, gnu::cold, gnu::noinline]] CHAINRULE_HOST_DEVICE inline void refuse_size(const char* sentence) {
    core::raise_as<wrong_size>(sentence);
}
// The check of a size that is known only at run time. It does not depend on NDEBUG: without it, the kernel would read
// past the end of a range.
template <role Role>
CHAINRULE_STEP constexpr void check_size(bool right) {
    if (right) [[likely]]
        return;
    refuse_size(Role == role::point
                    ? "function: the point does not have one number per variable in wrt(...); pass that many"
                : Role == role::part
                    ? "function: an argument does not have one number per variable of its vector; pass that many"
                : Role == role::direction
                    ? "jvp, hvp: the direction does not have one number per variable in wrt(...); pass that many"
                    : "vjp, lagrangian_hessian: the weights do not have one number per expression of the function; "
                      "pass that many");
}

/// Numbers that are read in place.
template <class T>
struct numbers_elsewhere {
    const T* first;
    CHAINRULE_STEP constexpr const T* data() const { return first; }
};
/// Numbers that were copied.
template <class T, std::size_t Size>
struct copied_numbers {
    T values[Size < 1 ? 1 : Size];
    CHAINRULE_STEP constexpr const T* data() const { return values; }
};

/// The numbers of an argument as a contiguous range: in place, or a copy that lives as long as the result.
template <role Role, std::size_t Size, class P>
CHAINRULE_STEP constexpr auto numbers_in_order(const P& argument) {
    using number = typename argument_number<P>::type;
    constexpr source from = source_for<P>;
    constexpr bool fixed = size_known<P>(Size + 1) == Size;
    if constexpr (!fixed && requires { argument.size(); })
        check_size<Role>(static_cast<std::size_t>(argument.size()) == Size);
    if constexpr (from == source::in_place) {
        if constexpr (requires { argument.data(); })
            return numbers_elsewhere<number>{argument.data()};
        else
            return numbers_elsewhere<number>{Size == 0 ? nullptr : &*ranges::first_of(argument)};
    } else {
        copied_numbers<number, Size> copy{};
        if constexpr (from == source::number) {
            copy.values[0] = static_cast<number>(argument);
        } else if constexpr (from == source::strided) {
            auto at = argument.data();
            for (std::size_t i = 0; i < Size; ++i, at += argument.innerStride()) copy.values[i] = *at;
        } else if constexpr (from == source::evaluated) {
            const auto evaluated = argument.eval();
            for (std::size_t i = 0; i < Size; ++i) copy.values[i] = evaluated.data()[i];
        } else if constexpr (from == source::listed) {
            numbers_listed<P>::copy(argument, copy.values);
        } else {
            std::size_t count = 0;
            for (auto i = ranges::first_of(argument); i != ranges::last_of(argument) && count <= Size; ++i, ++count)
                if (count < Size) copy.values[count] = *i;
            check_size<Role>(count == Size);
        }
        return copy;
    }
}

} // namespace detail
} // namespace chainrule
