// SPDX-License-Identifier: BSL-1.0
//
// Numbers on a tape whose operators return numbers, for existing templates: each operation is one statement, where
// active<T> records one for each assignment. eagerly(f) is f called with such numbers. Include this header in addition
// to chainrule/tape.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/from_stream.hpp>
#include <chainrule/expression/constant_operands.hpp>
#include <chainrule/expression/number_functions.hpp>
#include <chainrule/expression/refused_operators.hpp>
#include <chainrule/dual/requirements.hpp>
#include <chainrule/tape/recording/comparison.hpp>
#include <chainrule/tape/recording/refused_plain_numbers.hpp>
#include <chainrule/tape/derivatives/runs_at_points.hpp>

#include <compare>
#include <iosfwd>
#include <limits>
#include <type_traits>
#include <utility>

namespace chainrule {
namespace tape {

template <class T>
class eager;

// As in x ^ 2: expression/refused_operators.hpp.
using chainrule::operator^;
using chainrule::operator%;
// As in x * boost::hana::int_c<2>: expression/constant_operands.hpp.
CHAINRULE_USES_CONSTANT_OPERANDS

template <class T, class Inner>
inline constexpr bool is_recorded_as<eager<T>, Inner> = std::same_as<T, Inner> || is_recorded_as<T, Inner>;

/// Whether a U becomes an eager<T>: a plain number, a constant such as 2_c, an active<T>, and formulas of these.
template <class U, class T>
consteval bool becomes_eager() {
    if constexpr (expressions::holds_actives<U>) {
        using found = typename actives_in<U>::type;
        return std::same_as<found, T> || is_recorded_as<T, found>;
    } else if constexpr (expression<U>) {
        return int{U::numbers} == 0 && int{graph::variables_of<U>::type::size} == 0;
    } else {
        return detail::becomes_number<U, T>;
    }
}
template <class U, class T>
concept eager_operand = becomes_eager<U, T>() && !functions::integral_constant<U>;

/// A number of type T on a tape whose operators and functions return numbers of the same type and record one statement
/// each: for templates that take no formulas. It has the size of an active<T>, converts from and to one, and records
/// nothing if it depends on no variable. Example: `tape::eager<double> y = template_of_others(tape::eager<double>(x))`
template <class T>
class eager : public refused_plain_numbers<eager<T>>, public found_functions::with_functions {
public:
    using has_functions_of_table = void;
    using plain_number = T;
    using held_number = active<T>;

    constexpr eager() = default;
    constexpr eager(const active<T>& number) : number_(number) {}
    /// Records a formula of active numbers as one statement.
    template <class U>
    requires(becomes_eager<U, T>())
    [[gnu::always_inline]] constexpr eager(const U& value) : number_(value) {}
    constexpr operator active<T>() const { return number_; }
    /// The active number that it holds.
    [[nodiscard]] constexpr const active<T>& held() const { return number_; }
    [[nodiscard]] constexpr active<T>& held() { return number_; }

    /// The plain number. Branches may depend on it; derivatives ignore that dependence.
    [[nodiscard, gnu::always_inline]] constexpr const T& value() const { return number_.value(); }
    friend constexpr T value(const eager& x) { return x.value(); }
    /// Whether the number is on a tape.
    [[nodiscard]] constexpr bool is_recorded() const { return number_.is_recorded(); }
    /// The tape of the number; null if it is not on a tape, or if the tape is destroyed.
    [[nodiscard]] basic_tape<T>* recorder() const { return number_.recorder(); }
    /// The derivative, with respect to this number, of the output passed to backward(). Throws std::logic_error if
    /// there is none.
    [[nodiscard]] const T& gradient() const { return number_.gradient(); }

    friend eager operator+(const eager& a) { return a; }
    friend eager operator-(const eager& a) { return recorded(-a.number_); }
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    [[gnu::always_inline]] friend eager operator SYMBOL(const eager& a, const eager& b) {                              \
        return recorded(a.number_ SYMBOL b.number_);                                                                   \
    }                                                                                                                  \
    template <eager_operand<T> U>                                                                                      \
    [[gnu::always_inline]] friend eager operator SYMBOL(const eager& a, const U& b) {                                  \
        return recorded(a.number_ SYMBOL operand(b));                                                                  \
    }                                                                                                                  \
    template <eager_operand<T> U>                                                                                      \
    [[gnu::always_inline]] friend eager operator SYMBOL(const U& a, const eager& b) {                                  \
        return recorded(operand(a) SYMBOL b.number_);                                                                  \
    }                                                                                                                  \
    template <std::convertible_to<eager> B>                                                                            \
    [[gnu::always_inline]] eager& operator SYMBOL##=(const B & b) {                                                    \
        return *this = *this SYMBOL b;                                                                                 \
    }
    CHAINRULE_OPERATOR(+)
    CHAINRULE_OPERATOR(-)
    CHAINRULE_OPERATOR(*)
    CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR
    friend eager operator*(irrational a, const eager& b) { return a.as<T>() * b; }

    eager& operator++() { return *this += T(1); }
    eager& operator--() { return *this -= T(1); }
    eager operator++(int) {
        const eager old = *this;
        ++*this;
        return old;
    }
    eager operator--(int) {
        const eager old = *this;
        --*this;
        return old;
    }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr bool operator SYMBOL(const eager& a, const eager& b) { return a.value() SYMBOL b.value(); }       \
    template <eager_operand<T> U>                                                                                      \
    friend constexpr bool operator SYMBOL(const eager& a, const U& b) {                                                \
        return a.number_ SYMBOL operand(b);                                                                            \
    }                                                                                                                  \
    template <eager_operand<T> U>                                                                                      \
    friend constexpr bool operator SYMBOL(const U& a, const eager& b) {                                                \
        return operand(a) SYMBOL b.number_;                                                                            \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
    friend constexpr std::partial_ordering operator<=>(const eager& a, const eager& b) {
        return a.number_ <=> b.number_;
    }
    template <eager_operand<T> U>
    friend constexpr std::partial_ordering operator<=>(const eager& a, const U& b) {
        return a.number_ <=> operand(b);
    }

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend eager NAME(const eager& x) { return recorded(NAME(x.number_)); }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend eager computed(functions::NAME*, const eager& x, const eager& y) {                                          \
        return recorded(NAME(x.number_, y.number_));                                                                   \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires(becomes_eager<U, T>())                                                                                    \
    friend eager NAME(const eager& x, const U& y) {                                                                    \
        return recorded(NAME(x.number_, operand(y)));                                                                  \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires(becomes_eager<U, T>())                                                                                    \
    friend eager NAME(const U& x, const eager& y) {                                                                    \
        return recorded(NAME(operand(x), y.number_));                                                                  \
    }
// Three arguments, some of them plain numbers: better matches than the functions of <cmath>, as after `using
// std::fma`, and than those of any numbers (expression/number_functions.hpp), since each says which are eager.
#define CHAINRULE_WITH_PLAIN(NAME, X, Y, Z)                                                                            \
    template <class U>                                                                                                 \
    requires(becomes_eager<U, T>())                                                                                    \
    friend eager NAME(const X& x, const Y& y, const Z& z) {                                                            \
        return recorded(NAME(operand(x), operand(y), operand(z)));                                                     \
    }
#define CHAINRULE_WITH_TWO_PLAIN(NAME, X, Y, Z)                                                                        \
    template <class U, class V>                                                                                        \
    requires(becomes_eager<U, T>() && becomes_eager<V, T>())                                                           \
    friend eager NAME(const X& x, const Y& y, const Z& z) {                                                            \
        return recorded(NAME(operand(x), operand(y), operand(z)));                                                     \
    }
#define CHAINRULE_EAGER() eager
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend eager computed(functions::NAME*, const eager& x, const eager& y, const eager& z) {                          \
        return recorded(NAME(x.number_, y.number_, z.number_));                                                        \
    }                                                                                                                  \
    CHAINRULE_SOME_OF_THREE_PLAIN(CHAINRULE_WITH_PLAIN, CHAINRULE_WITH_TWO_PLAIN, NAME, CHAINRULE_EAGER)
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
    CHAINRULE_CHOICES_AMONG(eager)
    /// The length of the vector (x, y, z), as std::hypot of three arguments.
    friend eager hypot(const eager& x, const eager& y, const eager& z) {
        return recorded(hypot(x.number_, y.number_, z.number_));
    }
    CHAINRULE_SOME_OF_THREE_PLAIN(CHAINRULE_WITH_PLAIN, CHAINRULE_WITH_TWO_PLAIN, hypot, CHAINRULE_EAGER)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef CHAINRULE_EAGER
#undef CHAINRULE_WITH_PLAIN
#undef CHAINRULE_WITH_TWO_PLAIN

    friend eager frexp(const eager& x, int* exponent) { return detail::mantissa(x, exponent); }
    friend eager modf(const eager& x, eager* whole) { return detail::fraction(x, whole); }

// Classification functions test the value.
#define CHAINRULE_CLASSIFICATION(NAME)                                                                                 \
    friend bool NAME(const eager& x) { return NAME(x.number_); }
    CHAINRULE_CLASSIFICATION(isfinite)
    CHAINRULE_CLASSIFICATION(isinf)
    CHAINRULE_CLASSIFICATION(isnan)
    CHAINRULE_CLASSIFICATION(isnormal)
    CHAINRULE_CLASSIFICATION(signbit)
#undef CHAINRULE_CLASSIFICATION
    friend int fpclassify(const eager& x) { return fpclassify(x.number_); }

    /// A custom function (chainrule/custom_function.hpp) is one statement.
    template <class Row, class... A>
    requires((false || ... || std::same_as<A, eager>) && (true && ... && std::convertible_to<const A&, eager>))
    friend eager call_custom(Row row, const A&... x) {
        return recorded(call_custom(row, operand(x)...));
    }

    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out,
                                                             const eager& x) {
        return out << x.value();
    }
    /// Reads a plain number.
    template <class Character, class Traits>
    friend std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& in, eager& x) {
        return core::read_plain<T>(in, x);
    }

    friend constexpr bool zero_in_every_part(const eager& x) { return zero_in_every_part(x.number_); }
    friend constexpr bool finite_in_every_part(const eager& x) { return finite_in_every_part(x.number_); }

private:
    active<T> number_;

    template <class E>
    [[gnu::always_inline]] static eager recorded(const E& e) {
        return active<T>(e);
    }
    // An operand of active numbers: a number of another class as a T.
    static constexpr const active<T>& operand(const eager& x) { return x.number_; }
    template <class U>
    [[gnu::always_inline]] static constexpr decltype(auto) operand(const U& x) {
        if constexpr (expression<U> || std::is_arithmetic_v<U> || functions::integral_constant<U>)
            return (x);
        else
            return static_cast<T>(x);
    }
};

} // namespace tape

// An eager<T> is a number to expressions with others, as in a gradient within a gradient.
template <class T>
inline constexpr bool expressions::is_made_of_tape_numbers<tape::eager<T>> = false;

/// The value of a number on a tape.
template <class T>
[[nodiscard]] constexpr T value(const tape::eager<T>& x) {
    return x.value();
}

namespace tape {

namespace points {

template <class N>
inline constexpr bool is_eager = false;
template <class T>
inline constexpr bool is_eager<eager<T>> = true;

template <class X>
[[nodiscard]] decltype(auto) eager_parts(const X& x) {
    using number = typename size_and_number<X>::number;
    if constexpr (expressions::is_active<number>) {
        using eager_number = eager<typename number::plain_number>;
        return points::mapped<eager_number>(x, [](const auto& v) { return eager_number(v); });
    } else {
        return (x);
    }
}
/// A part of a point, with eager numbers in place of the active ones.
template <class X>
[[nodiscard]] decltype(auto) as_eager(const X& x) {
    if constexpr (list<X>) {
        using number = typename layout<X>::number_type;
        if constexpr (expressions::is_active<number>) {
            using eager_number = eager<typename number::plain_number>;
            return points::made<eager_number>(x, [](const auto& v, std::size_t) { return eager_number(v); });
        } else if constexpr (composite<X>) {
            return points::eager_parts(x);
        } else {
            return (x);
        }
    } else if constexpr (expressions::is_active<X>) {
        return eager<typename X::plain_number>(x);
    } else if constexpr (composite<X>) {
        return points::eager_parts(x);
    } else {
        return (x);
    }
}
/// A result, with active numbers in place of the eager ones.
template <class Y>
[[nodiscard]] auto as_active(Y&& y) {
    using result = std::remove_cvref_t<Y>;
    if constexpr (list<result>) {
        using number = typename layout<result>::number_type;
        if constexpr (is_eager<number>) {
            using active_number = active<typename number::plain_number>;
            return points::made<active_number>(y, [](const auto& v, std::size_t) { return active_number(v); });
        } else {
            return std::forward<Y>(y);
        }
    } else if constexpr (is_eager<result>) {
        return active<typename result::plain_number>(y);
    } else {
        return std::forward<Y>(y);
    }
}
template <class X>
using eager_argument = std::remove_cvref_t<decltype(points::as_eager(std::declval<const X&>()))>;

/// A function that is called with eager numbers in place of active ones: see eagerly().
template <class F>
class eager_function {
public:
    using called_function = F;
    template <bool Constant, class... X>
    static consteval bool takes() {
        return points::takes<std::conditional_t<Constant, const F, F>, eager_argument<X>...>();
    }

    template <class... X>
    static constexpr bool can_take = requires(F& f, const eager_argument<X>&... x) { f(x...); };

    explicit eager_function(F f) : f_(std::move(f)) {}

    template <class... X>
    auto operator()(const X&... x) {
        return call(f_, points::as_eager(x)...);
    }
    template <class... X>
    auto operator()(const X&... x) const {
        return call(f_, points::as_eager(x)...);
    }

private:
    F f_;

    template <class G, class... X>
    static auto call(G& f, const X&... x) {
        return points::as_active(f(x...));
    }
};

} // namespace points

/// The function f with eager numbers in place of the active ones of its arguments, numbers and lists of them, and
/// active numbers in place of those that it returns: for every call of the tape that takes a function. It has a copy of
/// f. Example: `tape::gradient(tape::eagerly(f), x)`
template <class F>
[[nodiscard]] auto eagerly(F f) {
    return points::eager_function<F>(std::move(f));
}

} // namespace tape
} // namespace chainrule

/// The limits of T.
template <class T>
class std::numeric_limits<chainrule::tape::eager<T>> : public std::numeric_limits<T> {};

#include <chainrule/core/names_end.inc>
