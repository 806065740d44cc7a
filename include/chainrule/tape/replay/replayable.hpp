// SPDX-License-Identifier: BSL-1.0
//
// The numbers of a function that is recorded for replay. Each operation is one entry of the recording in progress
// (tape/replay/recorder.hpp). Comparisons stay open: select() records them as operations, and a branch on one, like
// value(x), makes the recording depend on its outcome.
#pragma once

#include <chainrule/functions/order.hpp>
#include <chainrule/functions/standard_constants.hpp>
#include <chainrule/core/from_stream.hpp>
#include <chainrule/expression/constant_operands.hpp>
#include <chainrule/expression/number_functions.hpp>
#include <chainrule/expression/number_properties.hpp>
#include <chainrule/expression/refused_operators.hpp>
#include <chainrule/dual/requirements.hpp>
#include <chainrule/tape/recording/refused_plain_numbers.hpp>
#include <chainrule/tape/replay/recorder.hpp>
#include <chainrule/tape/derivatives/runs_at_points.hpp>

#include <cmath>
#include <compare>
#include <iosfwd>
#include <limits>

namespace chainrule::tape {

template <class T>
class replayable;

/// A dual number that is not one of replayable numbers: of an inner derivative that began at plain numbers.
template <class U>
inline constexpr bool is_dual_of_plain = false;
template <class T, std::size_t N>
inline constexpr bool is_dual_of_plain<dual<T, N>> = !detail::is_dual<T>;
template <class T, std::size_t N>
inline constexpr bool is_dual_of_plain<dual<replayable<T>, N>> = false;
template <class U>
U refused_dual_number(const U& number) {
    constexpr bool of_one_derivative = sizeof(U) == 0;
    static_assert(of_one_derivative,
                  "x * y: a dual number meets a recorded one, to which its derivative does not lead; "
                  "start the inner derivative at numbers of the outer type T, as at "
                  "std::vector{T(2.0)}");
    return number;
}

// As in x ^ 2: expression/refused_operators.hpp.
using chainrule::operator^;
using chainrule::operator%;
// As in x * boost::hana::int_c<2>: expression/constant_operands.hpp.
CHAINRULE_USES_CONSTANT_OPERANDS

/// The outcome of comparing replayable numbers: a condition of select() and piecewise(), which are replayed for either
/// outcome. Converted to bool, as in `if (x < y)`, it is a branch: replay checks that it comes out alike.
template <class T>
class replayable_truth {
public:
    replayable_truth() = default; // false
    [[nodiscard]] operator bool() const {
        if (name_ != 0) replays::recorder<T>::of(name_).read(place_, T(value_ ? 1 : 0));
        return value_;
    }

    friend replayable_truth operator&&(const replayable_truth& a, const replayable_truth& b) {
        return junction<replays::conjunction>(a, b, a.value_ && b.value_);
    }
    friend replayable_truth operator||(const replayable_truth& a, const replayable_truth& b) {
        return junction<replays::disjunction>(a, b, a.value_ || b.value_);
    }
    // As kernels write them.
    friend replayable_truth operator&(const replayable_truth& a, const replayable_truth& b) { return a && b; }
    friend replayable_truth operator|(const replayable_truth& a, const replayable_truth& b) { return a || b; }
    friend replayable_truth operator!(const replayable_truth& a) {
        if (a.name_ == 0) return {!a.value_, 0, 0};
        return {!a.value_, replays::recorder<T>::of(a.name_).template result<replays::negation>(a.place_), a.name_};
    }
    /// a where the condition holds, else b. Both are recorded; an infinity or NaN of the other does not reach the
    /// result.
    friend replayable<T> select(const replayable_truth& condition, const std::type_identity_t<replayable<T>>& a,
                                const std::type_identity_t<replayable<T>>& b) {
        return choice(condition, a, b);
    }

private:
    friend class replayable<T>;

    bool value_ = false;
    replays::slot place_ = 0;
    std::uint32_t name_ = 0; // of the recording; 0 where the outcome depends on no input

    replayable_truth(bool value, replays::slot at, std::uint32_t name) : value_(value), place_(at), name_(name) {}

    static replayable<T> choice(const replayable_truth& condition, const replayable<T>& a, const replayable<T>& b) {
        return replayable<T>::chosen(condition, a, b);
    }
    template <class Row>
    static replayable_truth junction(const replayable_truth& a, const replayable_truth& b, bool value) {
        const std::uint32_t name = a.name_ != 0 ? a.name_ : b.name_;
        if (name == 0) return {value, 0, 0};
        replays::recorder<T>& on = replays::recorder<T>::of(name);
        const replays::slot first = a.slot_on(on), second = b.slot_on(on);
        return {value, on.template result<Row>(first, second), name};
    }
    [[nodiscard]] replays::slot slot_on(replays::recorder<T>& on) const {
        return name_ == 0 ? on.constant(T(value_ ? 1 : 0)) : (static_cast<void>(on.of(name_)), place_);
    }
};

/// A number of type T (float, double, long double) whose operations are recorded for replay: see record(). A number
/// that depends on no input is a plain one.
template <class T>
class replayable : public refused_plain_numbers<replayable<T>>, public found_functions::with_functions {
public:
    using has_functions_of_table = void;
    using plain_number = T;
    using truth = replayable_truth<T>; ///< of a comparison

    constexpr replayable() = default;
    template <class U>
    requires detail::becomes_number<U, T>
    constexpr replayable(const U& value) : value_(static_cast<T>(value)) {}

    /// The plain number. The program then depends on it in a way that replay cannot repeat, so replay checks that it is
    /// the same.
    [[nodiscard]] T value() const {
        if (name_ != 0) replays::recorder<T>::of(name_).read(place_, value_);
        return value_;
    }
    friend T value(const replayable& x) { return x.value(); }

    friend replayable operator+(const replayable& a) { return a; }
    friend replayable operator-(const replayable& a) { return made<replays::negate>(-a.value_, a); }
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    friend replayable operator SYMBOL(const replayable& a, const replayable& b) {                                      \
        if (changes_nothing<replays::NAME>(b)) return a;                                                               \
        return made<replays::NAME>(a.value_ SYMBOL b.value_, a, b);                                                    \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::plain_operand<U, T>                                                                               \
    friend replayable operator SYMBOL(const replayable& a, const U& b) {                                               \
        return a SYMBOL replayable(b);                                                                                 \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::plain_operand<U, T>                                                                               \
    friend replayable operator SYMBOL(const U& a, const replayable& b) {                                               \
        return replayable(a) SYMBOL b;                                                                                 \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires is_dual_of_plain<U>                                                                                       \
    friend U operator SYMBOL(const replayable&, const U& b) {                                                          \
        return refused_dual_number(b);                                                                                 \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires is_dual_of_plain<U>                                                                                       \
    friend U operator SYMBOL(const U& a, const replayable&) {                                                          \
        return refused_dual_number(a);                                                                                 \
    }                                                                                                                  \
    template <std::convertible_to<replayable> B>                                                                       \
    replayable& operator SYMBOL##=(const B & b) {                                                                      \
        return *this = *this SYMBOL replayable(b);                                                                     \
    }
    CHAINRULE_OPERATOR(+, add)
    CHAINRULE_OPERATOR(-, subtract)
    CHAINRULE_OPERATOR(*, multiply)
    CHAINRULE_OPERATOR(/, divide)
#undef CHAINRULE_OPERATOR
    friend replayable operator*(irrational a, const replayable& b) { return a.as<T>() * b; }

    replayable& operator++() { return *this += T(1); }
    replayable& operator--() { return *this -= T(1); }
    replayable operator++(int) {
        const replayable old = *this;
        ++*this;
        return old;
    }
    replayable operator--(int) {
        const replayable old = *this;
        --*this;
        return old;
    }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend truth operator SYMBOL(const replayable& a, const replayable& b) {                                           \
        return compared<replays::NAME>(a.value_ SYMBOL b.value_, a, b);                                                \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::plain_operand<U, T>                                                                               \
    friend truth operator SYMBOL(const replayable& a, const U& b) {                                                    \
        return a SYMBOL replayable(b);                                                                                 \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::plain_operand<U, T>                                                                               \
    friend truth operator SYMBOL(const U& a, const replayable& b) {                                                    \
        return replayable(a) SYMBOL b;                                                                                 \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
    friend std::partial_ordering operator<=>(const replayable& a, const replayable& b) {
        return functions::order_of(a, b);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend std::partial_ordering operator<=>(const replayable& a, const U& b) {
        return functions::order_of(a, replayable(b));
    }

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend replayable NAME(const replayable& x) { return made<functions::NAME>(functions::NAME::value(x.value_), x); }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend replayable computed(functions::NAME*, const replayable& x, const replayable& y) {                           \
        return made<functions::NAME>(functions::NAME::value(x.value_, y.value_), x, y);                                \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::becomes_number<U, T>                                                                              \
    friend replayable NAME(const replayable& x, const U& y) {                                                          \
        using row = typename functions::called_with<functions::NAME, U>::type;                                         \
        return of_plain_second<row>(x, static_cast<T>(y));                                                             \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::becomes_number<U, T>                                                                              \
    friend replayable NAME(const U& x, const replayable& y) {                                                          \
        return computed(static_cast<functions::NAME*>(nullptr), replayable(x), y);                                     \
    }
// Three arguments, some of them plain numbers: better matches than the functions of <cmath>, as after `using
// std::fma`, and than those of any numbers (expression/number_functions.hpp), since each says which are replayable.
#define CHAINRULE_WITH_PLAIN(NAME, X, Y, Z)                                                                            \
    template <detail::becomes_number<T> U>                                                                             \
    friend replayable NAME(const X& x, const Y& y, const Z& z) {                                                       \
        return NAME(replayable(x), replayable(y), replayable(z));                                                      \
    }
#define CHAINRULE_WITH_TWO_PLAIN(NAME, X, Y, Z)                                                                        \
    template <detail::becomes_number<T> U, detail::becomes_number<T> V>                                                \
    friend replayable NAME(const X& x, const Y& y, const Z& z) {                                                       \
        return NAME(replayable(x), replayable(y), replayable(z));                                                      \
    }
#define CHAINRULE_REPLAYABLE() replayable
#define CHAINRULE_SOME_PLAIN(NAME)                                                                                     \
    CHAINRULE_SOME_OF_THREE_PLAIN(CHAINRULE_WITH_PLAIN, CHAINRULE_WITH_TWO_PLAIN, NAME, CHAINRULE_REPLAYABLE)
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend replayable computed(functions::NAME*, const replayable& x, const replayable& y, const replayable& z) {      \
        return made<functions::NAME>(functions::NAME::value(x.value_, y.value_, z.value_), x, y, z);                   \
    }                                                                                                                  \
    CHAINRULE_SOME_PLAIN(NAME)
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    CHAINRULE_CHOICES_AMONG(replayable)
    /// The length of the vector (x, y, z), as std::hypot of three arguments.
    friend replayable hypot(const replayable& x, const replayable& y, const replayable& z) { return hypot3(x, y, z); }
    CHAINRULE_SOME_PLAIN(hypot)
#undef CHAINRULE_SOME_PLAIN
#undef CHAINRULE_REPLAYABLE
#undef CHAINRULE_WITH_PLAIN
#undef CHAINRULE_WITH_TWO_PLAIN

    friend truth isnan(const replayable& x) { return x != x; }
    friend truth isfinite(const replayable& x) { return x - x == x - x; }
    friend truth isinf(const replayable& x) { return x == x && x - x != x - x; }
    friend truth signbit(const replayable& x) { return copysign(replayable(T(1)), x) < T(0); }
    friend truth isnormal(const replayable& x) { return isfinite(x) && abs(x) >= std::numeric_limits<T>::min(); }
    friend int fpclassify(const replayable& x) {
        if (isnan(x)) return FP_NAN;
        if (isinf(x)) return FP_INFINITE;
        if (x == T(0)) return FP_ZERO;
        return isnormal(x) ? FP_NORMAL : FP_SUBNORMAL;
    }

    /// As std::frexp. The recording holds as long as the exponent is the same.
    friend replayable frexp(const replayable& x, int* exponent) {
        *exponent = detail::exponent_of(x.value_);
        const replayable m = ldexp(x, -*exponent);
        if (x == T(0) || !isfinite(x)) return m;
        [[maybe_unused]] const bool branch = abs(m) >= T(0.5) && abs(m) < T(1); // else the exponent is another one
        return m;
    }
    /// As std::modf.
    friend replayable modf(const replayable& x, replayable* whole) { return detail::fraction(x, whole); }

    /// A custom function (chainrule/custom_function.hpp) of replayable and plain numbers.
    template <class Row, class... A>
    requires((false || ... || std::same_as<A, replayable>) &&
             (true && ... && std::convertible_to<const A&, replayable>))
    friend replayable call_custom(Row, const A&... x) {
        return made<Row>(Row::value(replayable(x).value_...), replayable(x)...);
    }

    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out,
                                                             const replayable& x) {
        return out << x.value_;
    }
    /// Reads a plain number.
    template <class Character, class Traits>
    friend std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& in, replayable& x) {
        return core::read_plain<T>(in, x);
    }

    /// A number that depends on an input is not a structural zero.
    friend bool zero_in_every_part(const replayable& x) { return x.name_ == 0 && x.value_ == T(0); }
    friend bool finite_in_every_part(const replayable& x) { return x.name_ == 0 && core::keeps_zero(x.value_); }

    /// An input of a recording.
    [[nodiscard]] static replayable input(replays::recorder<T>& on, const T& value) {
        return {value, on.input(), on.name};
    }
    /// Its place on a recording.
    [[nodiscard]] replays::slot slot_on(replays::recorder<T>& on) const {
        return name_ == 0 ? on.constant(value_) : (static_cast<void>(on.of(name_)), place_);
    }

private:
    friend class replayable_truth<T>;

    T value_{};
    replays::slot place_ = 0;
    std::uint32_t name_ = 0; // of the recording; 0 for a plain number

    replayable(const T& value, replays::slot at, std::uint32_t name) : value_(value), place_(at), name_(name) {}

    /// The result of an operation.
    template <class Row, class... A>
    static replayable made(const T& value, const A&... x) {
        std::uint32_t name = 0;
        ((name = x.name_ != 0 ? x.name_ : name), ...);
        if (name == 0) return {value, 0, 0};
        replays::recorder<T>& on = replays::recorder<T>::of(name);
        const std::array<replays::slot, sizeof...(A)> operands{x.slot_on(on)...};
        return {value, std::apply([&](auto... s) { return on.template result<Row>(s...); }, operands), name};
    }
    // a * 1, a / 1 and a - 0 have the bits of a.
    template <class Row>
    [[nodiscard]] static bool changes_nothing(const replayable& b) {
        if (b.name_ != 0 || std::same_as<Row, replays::add>) return false;
        if (std::same_as<Row, replays::subtract>) return b.value_ == T(0) && !__builtin_signbit(b.value_);
        return b.value_ == T(1);
    }
    template <class Row>
    static truth compared(bool outcome, const replayable& a, const replayable& b) {
        const replayable r = made<Row>(T(outcome ? 1 : 0), a, b);
        return {outcome, r.place_, r.name_};
    }
    // A small power has the same bits as the products, which are faster.
    template <class Row>
    static replayable of_plain_second(const replayable& x, const T& y) {
        if constexpr (std::same_as<Row, functions::integer_power>) {
            if (y == T(1)) return x;
            if (y == T(2)) return square(x);
            if (y == T(3)) return cube(x);
        }
        return made<Row>(Row::value(x.value_, y), x, replayable(y));
    }
    static replayable chosen(const truth& condition, const replayable& a, const replayable& b) {
        if (condition.name_ == 0) return condition.value_ ? a : b;
        replays::recorder<T>& on = replays::recorder<T>::of(condition.name_);
        const replays::slot first = a.slot_on(on), second = b.slot_on(on);
        return {condition.value_ ? a.value_ : b.value_,
                on.template result<replays::choose>(condition.place_, first, second), condition.name_};
    }
};

} // namespace chainrule::tape

namespace chainrule {

/// The choice between replayable numbers, for calls of chainrule::select.
template <class T, class A, class B>
[[nodiscard]] tape::replayable<T> select(const tape::replayable_truth<T>& condition, const A& a, const B& b) {
    return select(condition, tape::replayable<T>(a), tape::replayable<T>(b)); // the friend
}
/// The plain number, on which the recording then depends.
template <class T>
[[nodiscard]] T value(const tape::replayable<T>& x) {
    return x.value();
}

} // namespace chainrule

/// The limits of T.
template <class T>
class std::numeric_limits<chainrule::tape::replayable<T>> : public std::numeric_limits<T> {};
